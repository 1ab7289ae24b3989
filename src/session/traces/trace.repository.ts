import { Injectable } from '@nestjs/common';
import type { SessionId, UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';

/** Kinds of what a session made and what stays after it. */
export const TRACE_KINDS = [
  'authenticator-app',
  'passkey',
  'trusted-device',
  'identity',
  'personal-key',
] as const;
export type TraceKind = (typeof TRACE_KINDS)[number];

/** Something that a session made: a thief's, if the session was. */
export interface Trace {
  readonly kind: TraceKind;
  readonly id: string;
  /** Null for a device that did not say what it is. */
  readonly name: string | null;
  readonly createdAt: Date;
  readonly sessionId: SessionId;
}

/** Traces that are listed. */
export const MAX_TRACES = 200;

/** Each part reads the rows of the account by index. */
const MADE = `
  SELECT 'authenticator-app' AS kind, id, name, confirmed_at AS "createdAt", session_id AS "sessionId"
    FROM totp_authenticators WHERE account_id = $1 AND confirmed_at IS NOT NULL
  UNION ALL SELECT 'passkey', id, name, created_at, session_id FROM passkeys WHERE account_id = $1
  UNION ALL SELECT 'trusted-device', id, user_agent, created_at, session_id FROM trusted_devices
    WHERE account_id = $1 AND expires_at > now()
  UNION ALL SELECT 'identity', id, kind, created_at, session_id FROM external_identities WHERE account_id = $1
  UNION ALL SELECT 'personal-key', id, name, created_at, session_id FROM machine_credentials
    WHERE owner_id = $1 AND owner_kind = 'person'`;

/** Reads what sessions made, by the session that each row names. */
@Injectable()
export class TraceRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns what the sessions of an account made and what is still there, newest first.
   * @param sessionId of one session; null for all
   * @param kinds null for all
   */
  list(userId: UserId, sessionId: SessionId | null, kinds: readonly TraceKind[] | null): Promise<Trace[]> {
    return this.database.rows<Trace>(
      `SELECT made.* FROM (${MADE}) made WHERE "sessionId" IS NOT NULL AND ($2::text IS NULL OR "sessionId" = $2)
         AND ($3::text[] IS NULL OR kind = ANY($3)) ORDER BY "createdAt" DESC, id DESC LIMIT ${MAX_TRACES}`,
      [userId, sessionId, kinds],
    );
  }
}
