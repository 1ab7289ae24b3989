import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { SessionId, UserId } from '../../../kernel/index.js';
import { Cleanup } from '../../../platform/cleanup/index.js';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { Database, prepared } from '../../../platform/database/index.js';
import type { NamedClient } from '../../../openid/index.js';

/** Key of the advisory lock that each end of a session holds: the same in all releases. */
const ENDING_LOCK = 1_795_790;
const POLL_MS = 20;
/** Ended sessions with which a new stream begins. */
const MAX_REMEMBERED = 10_000;

/** A session that has ended; without its person, once they are erased. */
export interface EndedSession {
  readonly sessionId: SessionId;
  readonly userId: UserId | null;
}

/** Sessions that have ended lately, so that a new stream can begin with them. */
@Injectable()
export class EndedSessionRepository {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Remembers sessions that end, and the clients that were signed in by them. Holds a shared lock
   * until the end of the transaction, by which {@link waitForEnding} knows of it. Call it before
   * looking for streams.
   */
  async remember(sessionIds: readonly SessionId[]): Promise<void> {
    await this.database.rows(
      prepared(`WITH held AS MATERIALIZED (SELECT pg_advisory_xact_lock_shared(${ENDING_LOCK}))
       INSERT INTO signal_ended_sessions (session_id, client_ids)
       SELECT named.id, ARRAY(SELECT DISTINCT g.client_id FROM grants g WHERE g.session_id = named.id)
       FROM held, unnest($1::text[]) AS named (id) ON CONFLICT (session_id) DO NOTHING`),
      [sessionIds],
    );
  }

  /**
   * Waits for the transactions that end sessions now, on all replicas: they may not have seen a
   * stream that was committed just before. Those that begin later see it. Blocks none of them.
   * @returns false if one of them takes longer
   */
  async waitForEnding(maxMs: number): Promise<boolean> {
    const waiting = new Set(await this.findEnding());
    for (const until = performance.now() + maxMs; waiting.size > 0; await sleep(POLL_MS)) {
      const now = new Set(await this.findEnding());
      for (const one of waiting) if (!now.has(one)) waiting.delete(one);
      if (performance.now() > until) return waiting.size === 0;
    }
    return true;
  }

  /** Returns the sessions that have ended within the last seconds and concern a client. */
  findRecent(clientId: string, seconds: number): Promise<EndedSession[]> {
    return this.database.rows(
      `SELECT e.session_id AS "sessionId", x.account_id AS "userId"
       FROM satellites c CROSS JOIN signal_ended_sessions e LEFT JOIN sessions x ON x.id = e.session_id
       WHERE c.client_id = $1 AND e.ended_at > now() - make_interval(secs => $2)
         AND (c.first_party AND c.tenant_id IS NULL OR c.client_id = ANY (e.client_ids))
       ORDER BY e.ended_at DESC LIMIT ${MAX_REMEMBERED}`,
      [clientId, seconds],
    );
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

  /** Forgets them a day after their access tokens have expired. */
  @Cleanup()
  cleanUp(): Promise<boolean> {
    const seconds = this.settings.ACCESS_TOKEN_TTL + 86_400;
    return this.database.removeInBatches({
      table: 'signal_ended_sessions',
      key: 'session_id',
      when: `ended_at < now() - interval '${seconds} seconds'`,
    });
  }

  /** @returns the transactions that hold the lock */
  private findEnding(): Promise<string[]> {
    return this.database.values(
      `SELECT virtualtransaction FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
         AND classid = 0 AND objid = ${ENDING_LOCK}
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
  }
}
