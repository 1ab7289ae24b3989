import { Injectable } from '@nestjs/common';
import { columnsOf, Database, prepared, type Selected } from '../../platform/database/index.js';
import { RemovesExpired } from '../../platform/cleanup/index.js';
import { NOTIFY_TIME } from '../../platform/live/index.js';
import type { Client } from '../../platform/web/index.js';
import type { Page } from '../../platform/api/index.js';
import type { Locked, SessionId, TenantId, UserId } from '../../kernel/index.js';
import { type Proof, toColumns } from '../evidence/evidence.js';
import { OWN_PROOF_MISSING } from '../grants/grant.repository.js';
import { UpstreamSessionRepository } from '../upstream/upstream-session.repository.js';
import { SessionEntity } from './session.entity.js';

const SESSION = { id: true, createdAt: true, ipAddress: true, userAgent: true } as const;

export interface SessionSummary extends Selected<SessionEntity, typeof SESSION> {
  /** Whether an operator acts as the person in it. */
  readonly isImpersonation: boolean;
  readonly lastSeenAt: Date;
  readonly properties: readonly { readonly clientId: string; readonly lastUsedAt: string }[];
}

/** A session, as its policy needs it. */
export interface OwnSession {
  readonly id: SessionId;
  readonly alive: boolean;
}

/** A session that begins, with its first grant. */
interface NewSession {
  readonly id: SessionId;
  readonly userId: UserId;
  readonly proofs: readonly Proof[];
  readonly client: Client;
  readonly lifetimeSeconds: number;
  /** Organizations that vouched for the person. */
  readonly assuredBy?: readonly TenantId[];
  /** Whether nothing else stands for the person. */
  readonly ownProofMissing?: boolean;
  readonly grant: {
    readonly id: string;
    readonly clientId: string;
    readonly tenantId: TenantId | null;
    readonly idleSeconds: number;
    readonly dpopJkt?: string | null;
    readonly stationId?: string | null;
  };
}

/** NOTIFY channel by which replicas learn of ended sessions. */
export const SESSION_ENDED_CHANNEL = 'gatehouse_session_ended';

/**
 * Maximum active sessions of one account. One statement can end that many within its timeout;
 * without a limit, a caller who knows the password could make the account impossible to sign out,
 * reset or erase.
 */
const MAX_SESSIONS_PER_ACCOUNT = 10_000;

/** Counts the sessions as they were before the statement (PostgreSQL, section 7.8.4). */
const START = prepared(`
  WITH started AS (
    INSERT INTO sessions (id, account_id, amr, ip_address, user_agent, expires_at, aal2_at, phr_at, trusted_device, vouched_by, vouched_factor, own_proof)
    VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6), CASE WHEN $7 THEN now() END, CASE WHEN $8 THEN now() END, $9, $13, $14, NOT $15)
    RETURNING id, account_id, created_at, expires_at),
  proven AS (
    INSERT INTO session_evidence (session_id, method, connection_id, acr)
    SELECT started.id, proof.* FROM started, unnest($10::text[], $11::text[], $12::text[]) proof),
  granted AS (
    INSERT INTO grants (id, session_id, account_id, client_id, tenant_id, idle_expires_at, dpop_jkt, station_id)
    SELECT $16, id, account_id, $17, $18, least(now() + make_interval(secs => $19), expires_at), $20, $21 FROM started)
  SELECT created_at AS "createdAt", EXISTS (
      SELECT 1 FROM sessions WHERE account_id = $2 AND ended_at IS NULL OFFSET ${MAX_SESSIONS_PER_ACCOUNT - 1}) AS "isOneTooMany"
  FROM started`);

/** Locks sessions in order of id, and each before its grants, to avoid deadlocks. */
const END = (which: string) => `
  WITH locked AS (SELECT id FROM sessions WHERE ${which} AND ended_at IS NULL ORDER BY id FOR UPDATE),
  ended AS (UPDATE sessions SET ended_at = now() FROM locked WHERE sessions.id = locked.id RETURNING sessions.id)
  SELECT ended.id, pg_notify('${SESSION_ENDED_CHANNEL}', ended.id), ${NOTIFY_TIME} FROM ended`;

/** Sessions. A statement that locks several does so in order of id. */
@Injectable()
// Keeps ended sessions for a day, so that a second DELETE gets "already ended" and not 404.
@RemovesExpired({ table: 'sessions', key: 'id', when: "ended_at < now() - interval '1 day'" })
export class SessionRepository {
  constructor(
    private readonly database: Database,
    private readonly upstreams: UpstreamSessionRepository,
  ) {}

  /**
   * Inserts a session with its evidence and its first grant, and ends the oldest sessions beyond
   * the limit.
   * @returns the time at which it began, and the sessions that have ended for it
   */
  async insert({
    id,
    userId,
    proofs,
    client,
    lifetimeSeconds,
    assuredBy = [],
    ownProofMissing = false,
    grant,
  }: NewSession): Promise<{ readonly startedAt: Date; readonly ended: readonly SessionId[] }> {
    const { methods, connections, strengths, amr, isAal2, isPhr, isTrustedDevice, isAssuredFactor } =
      toColumns(proofs);
    const { createdAt, isOneTooMany } = await this.database.getRow<{
      createdAt: Date;
      isOneTooMany: boolean;
    }>(START, [
      id,
      userId,
      amr,
      client.ipAddress,
      client.userAgent,
      lifetimeSeconds,
      isAal2,
      isPhr,
      isTrustedDevice,
      methods,
      connections,
      strengths,
      assuredBy,
      isAssuredFactor,
      ownProofMissing,
      grant.id,
      grant.clientId,
      grant.tenantId,
      grant.idleSeconds,
      grant.dpopJkt ?? null,
      grant.stationId ?? null,
    ]);
    for (const { connectionId, upstream } of proofs)
      if (connectionId && upstream) await this.upstreams.insert(id, connectionId, upstream);
    if (!isOneTooMany) return { startedAt: createdAt, ended: [] };
    const ended = await this.endWhere(
      `id IN (SELECT id FROM sessions WHERE account_id = $1 AND ended_at IS NULL ORDER BY id DESC OFFSET ${MAX_SESSIONS_PER_ACCOUNT})`,
      [userId],
    );
    return { startedAt: createdAt, ended };
  }

  /**
   * Returns whether one of these people has proven two factors or a passkey of theirs since a time.
   */
  hasStrong(accountIds: readonly UserId[], since: Date): Promise<boolean> {
    return this.database.hasRow(
      `SELECT 1 FROM unnest($1::text[]) asked (id) WHERE EXISTS (
         SELECT 1 FROM sessions s WHERE s.account_id = asked.id AND greatest(s.aal2_at, s.phr_at) > $2 AND NOT ${OWN_PROOF_MISSING}) LIMIT 1`,
      [accountIds, since],
    );
  }

  /** Returns the active ones of these sessions, by the clock of the database. */
  findAlive(ids: readonly string[]): Promise<SessionId[]> {
    return this.database.values(
      prepared('SELECT id FROM sessions WHERE id = ANY($1) AND ended_at IS NULL AND expires_at > now()'),
      [ids],
    );
  }

  /** Returns the account's own sessions of these ids. @param lock FOR UPDATE, in order of id */
  findOwn(accountId: UserId, ids: readonly string[], lock: boolean): Promise<OwnSession[]> {
    return this.database.rows<OwnSession>(
      `SELECT id, ended_at IS NULL AND expires_at > now() AS alive FROM sessions
       WHERE account_id = $1 AND id = ANY($2) ORDER BY id ${lock ? 'FOR UPDATE' : ''}`,
      [accountId, ids],
    );
  }

  /**
   * Adds a proof to the evidence of a session (step-up). Waits for a concurrent logout. The first
   * one of the person's own takes back the strength of factors that only a connection assured.
   * @returns false if the session has ended
   */
  confirm(id: SessionId, accountId: UserId, proof: Proof): Promise<boolean> {
    const { methods, connections, strengths, amr, isAal2, isPhr, isOwn } = toColumns([proof]);
    return this.database.hasRow(
      `WITH confirmed AS (
         UPDATE sessions SET confirmed_at = now(),
           amr = amr || ARRAY(SELECT added FROM unnest($3::text[]) added WHERE added <> ALL (amr)),
           own_proof = own_proof OR $9,
           aal2_at = CASE WHEN $4 THEN now() WHEN NOT $9 OR own_proof OR vouched_by = '{}' THEN aal2_at END,
           phr_at = CASE WHEN $5 THEN now() WHEN NOT $9 OR own_proof OR vouched_by = '{}' THEN phr_at END
         WHERE id = $1 AND account_id = $2 AND ended_at IS NULL AND expires_at > now() RETURNING id)
       INSERT INTO session_evidence (session_id, method, connection_id, acr)
       SELECT confirmed.id, proof.* FROM confirmed, unnest($6::text[], $7::text[], $8::text[]) proof
       ON CONFLICT (session_id, method, connection_id) DO UPDATE SET proven_at = now(), acr = excluded.acr
       RETURNING 1`,
      [id, accountId, amr, isAal2, isPhr, methods, connections, strengths, isOwn],
    );
  }

  /** Returns whether two factors or a passkey were proven in the session. */
  isStrong(id: SessionId): Promise<boolean> {
    const sql = prepared('SELECT 1 FROM sessions WHERE id = $1 AND aal2_at IS NOT NULL');
    return this.database.hasRow(sql, [id]);
  }

  /** Locks the session until the end of the transaction. @returns null if it has ended */
  async lockAliveForShare(id: SessionId): Promise<Locked<SessionId> | null> {
    const sql = prepared(
      'SELECT 1 FROM sessions WHERE id = $1 AND ended_at IS NULL AND expires_at > now() FOR SHARE',
    );
    return (await this.database.row(sql, [id])) && (id as Locked<SessionId>);
  }

  /** Locks the sessions of the account that have not ended, in order of id, to avoid deadlocks. */
  async lockAllForUpdate(accountId: UserId): Promise<void> {
    await this.database.rows(
      'SELECT 1 FROM sessions WHERE account_id = $1 AND ended_at IS NULL ORDER BY id FOR NO KEY UPDATE',
      [accountId],
    );
  }

  /**
   * Returns a page, newest first, and one row more if there is a next page. A search reads the
   * sessions of the account alone, by index.
   */
  async listAlive(
    accountId: UserId,
    { limit, after }: Page,
    query: string | null = null,
  ): Promise<SessionSummary[]> {
    return this.database.rows<SessionSummary>(
      `SELECT ${columnsOf(SessionEntity, 's', SESSION)}, max(g.last_used_at) AS "lastSeenAt",
         EXISTS (SELECT 1 FROM impersonations i WHERE i.id = s.id) AS "isImpersonation",
         json_agg(json_build_object('clientId', g.client_id, 'lastUsedAt', g.last_used_at) ORDER BY g.first_id) AS properties
       FROM sessions s CROSS JOIN LATERAL (
         SELECT client_id, max(last_used_at) AS last_used_at, min(id) AS first_id FROM grants WHERE session_id = s.id GROUP BY client_id) g
       WHERE s.account_id = $1 AND s.ended_at IS NULL AND s.expires_at > now() AND ($2::text IS NULL OR s.id < $2)
         AND ($4::text IS NULL OR position(lower($4) IN lower(s.user_agent)) > 0 OR starts_with(s.ip_address, $4))
       GROUP BY s.id ORDER BY s.id DESC LIMIT $3`,
      [accountId, after, limit + 1, query],
    );
  }

  end(id: SessionId, accountId: UserId): Promise<SessionId[]> {
    return this.endWhere('id = $1 AND account_id = $2', [id, accountId]);
  }

  /** Ends these sessions of the account. */
  endThese(accountId: UserId, ids: readonly SessionId[]): Promise<SessionId[]> {
    return this.endWhere('account_id = $1 AND id = ANY($2)', [accountId, ids]);
  }

  endAll(accountId: UserId): Promise<SessionId[]> {
    return this.endWhere('account_id = $1', [accountId]);
  }

  endOthers(accountId: UserId, except: SessionId): Promise<SessionId[]> {
    return this.endWhere('account_id = $1 AND id <> $2', [accountId, except]);
  }

  /** Ends those with a sign-in by one of the connections. */
  endByConnections(accountId: UserId, connectionIds: readonly string[]): Promise<SessionId[]> {
    return this.endWhere(
      `account_id = $1 AND EXISTS (
         SELECT 1 FROM session_evidence e WHERE e.session_id = sessions.id AND e.connection_id = ANY($2))`,
      [accountId, connectionIds],
    );
  }

  /** Ends those that no client has used for this number of days, except one. */
  endInactive(accountId: UserId, except: SessionId, days: number): Promise<SessionId[]> {
    return this.endWhere(
      `account_id = $1 AND id <> $2
       AND NOT EXISTS (SELECT 1 FROM grants g WHERE g.session_id = sessions.id AND g.last_used_at >= now() - make_interval(days => $3))`,
      [accountId, except, days],
    );
  }

  /** Deletes the sessions of an account with their personal data. */
  async deleteAll(userId: UserId): Promise<void> {
    await this.database.repository(SessionEntity).delete({ userId });
  }

  private async endWhere(condition: string, parameters: readonly unknown[]): Promise<SessionId[]> {
    const ended = await this.database.values<SessionId>(END(condition), parameters);
    if (ended.length > 0)
      await this.database.rows(
        'UPDATE grants SET ended_at = now() WHERE session_id = ANY($1) AND ended_at IS NULL',
        [ended],
      );
    return ended;
  }

  /** Returns sessions whose time is over, and locks them; leaves those that are locked already. */
  findExpiredForUpdate(limit: number): Promise<{ id: SessionId; isEnded: boolean }[]> {
    return this.database.rows(
      `SELECT id, ended_at IS NOT NULL AS "isEnded" FROM sessions WHERE expires_at < now() LIMIT $1 FOR UPDATE SKIP LOCKED`,
      [limit],
    );
  }

  async delete(ids: readonly SessionId[]): Promise<void> {
    await this.database.rows('DELETE FROM sessions WHERE id = ANY($1)', [ids]);
  }
}
