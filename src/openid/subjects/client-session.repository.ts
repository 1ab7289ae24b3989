import { Injectable } from '@nestjs/common';
import type { SessionId, UserId } from '../../kernel/index.js';
import { Database, prepared } from '../../platform/database/index.js';

/** Sessions of people at a client. */
@Injectable()
export class ClientSessionRepository {
  constructor(private readonly database: Database) {}

  /** Lists the sessions of a person that have not ended, and in which the client has a grant. */
  list(userId: UserId, clientId: string): Promise<SessionId[]> {
    return this.database.values(
      prepared(`SELECT id FROM sessions s WHERE account_id = $1 AND ended_at IS NULL
         AND EXISTS (SELECT FROM grants g WHERE g.session_id = s.id AND g.client_id = $2)`),
      [userId, clientId],
    );
  }
}
