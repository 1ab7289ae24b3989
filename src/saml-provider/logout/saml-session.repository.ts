import { Injectable } from '@nestjs/common';
import type { SessionId, UserId } from '../../kernel/index.js';
import { columnsOf, Database, prepared, type Selected } from '../../platform/database/index.js';
import { SamlSessionEntity } from './saml-session.entity.js';

const NAMED = { sessionIndex: true, nameIdFormat: true, nameId: true } as const;

/** What a client was told about a session. */
export type NamedSession = Selected<SamlSessionEntity, typeof NAMED>;

/** A session that a request for a logout names. */
export interface FoundSession {
  readonly sessionId: SessionId;
  readonly userId: UserId;
}

/** Names of sessions at clients; they go with the session. */
@Injectable()
export class SamlSessionRepository {
  constructor(private readonly database: Database) {}

  async upsert(clientId: string, sessionId: SessionId, named: NamedSession): Promise<void> {
    await this.database.rows(
      prepared(`INSERT INTO saml_sessions (client_id, session_id, session_index, name_id_format, name_id)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT (client_id, session_id)
       DO UPDATE SET name_id_format = excluded.name_id_format, name_id = excluded.name_id`),
      [clientId, sessionId, named.sessionIndex, named.nameIdFormat, named.nameId],
    );
  }

  find(clientId: string, sessionId: SessionId): Promise<NamedSession | null> {
    return this.database.row<NamedSession>(
      prepared(
        `SELECT ${columnsOf(SamlSessionEntity, '', NAMED)} FROM saml_sessions WHERE client_id = $1 AND session_id = $2`,
      ),
      [clientId, sessionId],
    );
  }

  /** Lists sessions of a person that have not ended. @param indexes none for all of them */
  listActive(clientId: string, nameId: string, indexes: readonly string[]): Promise<FoundSession[]> {
    return this.database.rows<FoundSession>(
      prepared(`SELECT s.id AS "sessionId", s.account_id AS "userId" FROM saml_sessions n JOIN sessions s ON s.id = n.session_id
       WHERE n.client_id = $1 AND n.name_id = $2 AND (cardinality($3::text[]) = 0 OR n.session_index = ANY($3))
         AND s.ended_at IS NULL ORDER BY s.id`),
      [clientId, nameId, indexes],
    );
  }

  /** Returns whether another client knows one of the sessions that cannot be told of its end. */
  async hasUnreachable(clientId: string, sessionIds: readonly SessionId[]): Promise<boolean> {
    const row = await this.database.row(
      prepared(`SELECT 1 FROM saml_sessions n JOIN satellites c ON c.client_id = n.client_id
       WHERE n.session_id = ANY($2) AND n.client_id <> $1 AND c.backchannel_logout_uri IS NULL LIMIT 1`),
      [clientId, sessionIds],
    );
    return row !== null;
  }
}
