import { Injectable } from '@nestjs/common';
import type { SessionId, UserId } from '../../kernel/index.js';
import { Database, prepared } from '../../platform/database/index.js';
import type { EndedUpstream, UpstreamMatch, UpstreamSession } from './upstream-session.js';

const BYTES = (hex: string) => `ARRAY(SELECT decode(one, 'hex') FROM unnest(${hex}::text[]) one)`;

/** What providers of connections call the sign-ins of sessions. */
@Injectable()
export class UpstreamSessionRepository {
  constructor(private readonly database: Database) {}

  async insert(
    sessionId: SessionId,
    connectionId: string,
    { nameIdHash, sessionIndex, oidcSid, sealed }: UpstreamSession,
  ): Promise<void> {
    await this.database.rows(
      `INSERT INTO upstream_sessions (session_id, connection_id, name_id_hash, session_index, oidc_sid, sealed)
       VALUES ($1, $2, decode($3, 'hex'), decode($4, 'hex'), decode($5, 'hex'), $6)`,
      [sessionId, connectionId, nameIdHash, sessionIndex, oidcSid, sealed],
    );
  }

  /** @returns null for a session that did not begin by a connection */
  find(sessionId: SessionId): Promise<EndedUpstream | null> {
    return this.database.row<EndedUpstream>(
      prepared('SELECT connection_id AS "connectionId", sealed FROM upstream_sessions WHERE session_id = $1'),
      [sessionId],
    );
  }

  /** Returns accounts with an active session that began by a connection, in order of id. */
  listAccounts(connectionId: string, after: string, limit: number): Promise<UserId[]> {
    return this.database.values(
      `SELECT DISTINCT s.account_id FROM upstream_sessions u JOIN sessions s ON s.id = u.session_id
       WHERE u.connection_id = $1 AND s.ended_at IS NULL AND s.account_id > $2 ORDER BY s.account_id LIMIT $3`,
      [connectionId, after, limit],
    );
  }

  /**
   * Returns the active sessions that a provider ends, in order of account and id. A session whose
   * sign-in had no index belongs to each index of its person.
   */
  async findActive({
    connectionId,
    nameIdHashes,
    sessionIndexes,
    oidcSids,
  }: UpstreamMatch): Promise<{ readonly userId: UserId; readonly id: SessionId }[]> {
    const names = [
      ...(nameIdHashes.length > 0 ? [`u.name_id_hash = ANY(${BYTES('$2')})`] : []),
      ...(oidcSids.length > 0 ? [`u.oidc_sid = ANY(${BYTES('$4')})`] : []),
    ];
    if (names.length === 0) return [];
    return this.database.rows(
      `SELECT s.account_id AS "userId", s.id FROM upstream_sessions u JOIN sessions s ON s.id = u.session_id
       WHERE u.connection_id = $1 AND s.ended_at IS NULL AND ${names.join(' AND ')}
         AND (cardinality($3::text[]) = 0 OR u.session_index IS NULL OR u.session_index = ANY(${BYTES('$3')}))
         AND cardinality($2::text[]) + cardinality($4::text[]) > 0
       ORDER BY s.account_id, s.id`,
      [connectionId, nameIdHashes, sessionIndexes, oidcSids],
    );
  }
}
