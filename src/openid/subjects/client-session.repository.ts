import { Injectable } from '@nestjs/common';
import type { SessionId, UserId } from '../../kernel/index.js';
import { Database, prepared } from '../../platform/database/index.js';
import type { NamedClient } from './subjects.js';

/** Sessions of people at a client. */
@Injectable()
export class ClientSessionRepository {
  constructor(private readonly database: Database) {}

  /** Lists the sessions of a person that have not ended, and in which the client has a grant. */
  async list(userId: UserId, clientId: string): Promise<SessionId[]> {
    const rows = await this.database.rows<{ id: SessionId }>(
      prepared(`SELECT id FROM sessions s WHERE account_id = $1 AND ended_at IS NULL
         AND EXISTS (SELECT FROM grants g WHERE g.session_id = s.id AND g.client_id = $2)`),
      [userId, clientId],
    );
    return rows.map(({ id }) => id);
  }

  /** Lists the clients with pairwise subjects that know these sessions, ended ones too. */
  async listPairwise(
    sessionIds: readonly SessionId[],
  ): Promise<readonly (NamedClient & { readonly sessionId: SessionId })[]> {
    return this.database.rows(
      prepared(`SELECT known.session_id AS "sessionId", subject_type AS "subjectType", sid_key AS "sidKey", sid_key_since AS "sidKeySince"
       FROM (SELECT session_id, client_id FROM grants WHERE session_id = ANY($1)
         UNION SELECT session_id, unnest(client_ids) FROM signal_ended_sessions WHERE session_id = ANY($1)) AS known
         JOIN satellites c ON c.client_id = known.client_id AND c.subject_type = 'pairwise'`),
      [sessionIds],
    );
  }
}
