import { createHmac } from 'node:crypto';
import { type SessionId, timeOfId } from '../../kernel/index.js';
import type { Client } from '../../client/index.js';

/** What a client's name of a session depends on. */
export type NamedClient = Pick<Client, 'subjectType' | 'sidKey' | 'sidKeySince'>;

/** 128 bits, so that no two sessions have the same name. */
const SID_BYTES = 16;

/**
 * Returns the name of a session for a client (`sid`): its id; where people have pairwise subjects,
 * a MAC under the key of the client, so that two third parties cannot tell that they have the same
 * visitor. Nothing is stored, and the key outlives a change of the root secret.
 */
export function sidOf({ subjectType, sidKey, sidKeySince }: NamedClient, sessionId: SessionId): string {
  if (subjectType === 'public') return sessionId;
  // The client was told the id, and would not recognize the logout by another name.
  if (sidKeySince !== null && timeOfId(sessionId) < sidKeySince.getTime()) return sessionId;
  return createHmac('sha256', sidKey).update(sessionId).digest().subarray(0, SID_BYTES).toString('base64url');
}
