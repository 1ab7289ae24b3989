import { Injectable } from '@nestjs/common';
import type { SessionId } from '../../kernel/index.js';
import { RemovesExpired } from '../../platform/cleanup/index.js';
import { Database, prepared } from '../../platform/database/index.js';
import { type Target, UNSYNCED } from '../../platform/delivery/index.js';

/** Lease of a claim: longer than the longest request. */
const LEASE_SECONDS = 60;

/** A client to which logout tokens are sent. */
export interface LogoutReceiver {
  readonly clientId: string;
}

/** A claimed notice. */
export interface LogoutClaim extends LogoutReceiver {
  readonly sessionId: SessionId;
  /** Attempts that failed. */
  readonly attempts: number;
  /** End of the lease, which identifies the claim. */
  readonly lease: string;
}

/** Notices of ended sessions that clients have not received yet. */
@Injectable()
// Removes notices that have waited for a week, such as for a client that hangs.
@RemovesExpired({
  table: 'logout_notices',
  key: 'client_id, session_id',
  when: "created_at < now() - interval '7 days'",
})
export class LogoutNoticeRepository {
  constructor(private readonly database: Database) {}

  /**
   * Adds a notice for each client of ended sessions that has a back channel.
   * @returns the clients
   */
  async add(sessionIds: readonly SessionId[]): Promise<string[]> {
    const added = await this.database.rows<LogoutReceiver>(
      prepared(`INSERT INTO logout_notices (client_id, session_id)
       SELECT DISTINCT g.client_id, g.session_id
       FROM grants g JOIN satellites s ON s.client_id = g.client_id
       WHERE g.session_id = ANY($1) AND s.backchannel_logout_uri IS NOT NULL AND s.disabled_at IS NULL
       ON CONFLICT (client_id, session_id) DO NOTHING RETURNING client_id AS "clientId"`),
      [sessionIds],
    );
    return [...new Set(added.map(({ clientId }) => clientId))];
  }

  /** Claims due notices of clients, the oldest of each. Another replica claims others. */
  claim(targets: readonly Target<LogoutReceiver>[], limit: number): Promise<LogoutClaim[]> {
    return this.database.rows(
      prepared(`WITH picked AS (
         SELECT n.place FROM ${UNSYNCED}, unnest($1::text[], $2::int[]) AS asked (client_id, free) CROSS JOIN LATERAL (
           SELECT ctid AS place FROM logout_notices
           WHERE client_id = asked.client_id AND due_at <= now() ORDER BY due_at LIMIT asked.free FOR UPDATE SKIP LOCKED) AS n
         LIMIT $3)
       UPDATE logout_notices SET due_at = now() + interval '${LEASE_SECONDS} seconds'
       WHERE ctid = ANY(ARRAY(SELECT place FROM picked))
       RETURNING client_id AS "clientId", session_id AS "sessionId", attempts, due_at::text AS lease`),
      [targets.map(({ clientId }) => clientId), targets.map(({ free }) => free), limit],
    );
  }

  /**
   * Lists clients with notices, in the order of their ids. Steps from client to client by index, so
   * that no backlog slows it down.
   */
  listWaiting(
    after: LogoutReceiver | null,
    limit: number,
  ): Promise<(LogoutReceiver & { readonly isDue: boolean })[]> {
    return this.database.rows(
      prepared(`WITH RECURSIVE stepped AS (
         (SELECT client_id, due_at, 1 AS n FROM logout_notices WHERE client_id > $1 ORDER BY client_id, due_at LIMIT 1)
         UNION ALL
         SELECT d.client_id, d.due_at, s.n + 1 FROM stepped s CROSS JOIN LATERAL (
           SELECT client_id, due_at FROM logout_notices WHERE client_id > s.client_id ORDER BY client_id, due_at LIMIT 1) AS d
         WHERE s.n < $2
       ) SELECT client_id AS "clientId", due_at <= now() AS "isDue" FROM stepped ORDER BY n`),
      [after?.clientId ?? '', limit],
    );
  }

  /** Removes a notice that was sent, or is given up. */
  async remove({ clientId, sessionId, lease }: LogoutClaim): Promise<void> {
    await this.database.rows(
      prepared(`DELETE FROM logout_notices USING ${UNSYNCED}
       WHERE client_id = $1 AND session_id = $2 AND due_at = $3::timestamptz`),
      [clientId, sessionId, lease],
    );
  }

  /** Ends a claim. @param attempts that failed so far */
  async release({ clientId, sessionId, lease }: LogoutClaim, attempts: number, delay: number): Promise<void> {
    await this.database.rows(
      prepared(`UPDATE logout_notices SET attempts = $4, due_at = now() + make_interval(secs => $5) FROM ${UNSYNCED}
       WHERE client_id = $1 AND session_id = $2 AND due_at = $3::timestamptz`),
      [clientId, sessionId, lease, attempts, delay],
    );
  }
}
