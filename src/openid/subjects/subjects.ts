import { createHmac, randomBytes } from 'node:crypto';
import { isUlid, type SessionId, type TenantId, timeOfId, type UserId } from '../../kernel/index.js';
import { type Client, LiveClients } from '../../client/index.js';
import { Injectable } from '@nestjs/common';
import { SubjectRepository } from './subject.repository.js';

/**
 * Names people to clients: by the id of the account, or by a random one for each sector, so that
 * two third parties cannot tell that they have the same visitor. The random ones are stored, and
 * so outlive each key.
 */
@Injectable()
export class Subjects {
  constructor(
    private readonly subjects: SubjectRepository,
    private readonly clients: LiveClients,
  ) {}

  /** Returns the `sub` of a person for a client. */
  async find(client: Client, userId: UserId): Promise<string> {
    const known = await this.findKnown(client, userId);
    if (known !== null) return known;
    // The first of several that are made at once stays.
    await this.subjects.insert(
      userId,
      await this.clients.getSector(client),
      randomBytes(32).toString('base64url'),
    );
    const subject = await this.findKnown(client, userId);
    if (subject === null) throw new Error('There is no subject of a client.');
    return subject;
  }

  /**
   * Returns the `sub` of a person for another client of an organization.
   * @returns null if it is no enabled client of the organization
   */
  async findAt(clientId: string, tenantId: TenantId | null, userId: UserId): Promise<string | null> {
    const client = await this.clients.findEnabled(clientId);
    return client?.tenantId === tenantId ? this.find(client, userId) : null;
  }

  /** Finds the `sub` of a person for a client. @returns null if the client does not know it yet */
  async findKnown(client: Client, userId: UserId): Promise<string | null> {
    if (client.subjectType === 'public') return userId;
    return this.subjects.find(userId, await this.clients.getSector(client));
  }

  /** Finds the person of a `sub`, of either kind. */
  async findUser(subject: string): Promise<UserId | null> {
    return isUlid(subject) ? (subject as UserId) : this.subjects.findUser(subject);
  }
}

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
