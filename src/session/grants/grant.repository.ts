import { Injectable } from '@nestjs/common';
import { heldMembership } from '../../iam/index.js';
import { columnsOf, Database, prepared, type Selected } from '../../platform/database/index.js';
import { NOTIFY_TIME } from '../../platform/live/index.js';
import type { SessionId, TenantId, UserId } from '../../kernel/index.js';
import { GrantEntity } from './grant.entity.js';

const GRANT = {
  sessionId: true,
  userId: true,
  clientId: true,
  tenantId: true,
  generation: true,
  grantedScopes: true,
  dpopJkt: true,
} as const;

/** A grant, as the token response needs it. */
export interface GrantView extends Selected<GrantEntity, typeof GRANT> {
  readonly grantId: string;
  readonly authTime: Date;
  readonly aal2Time: Date | null;
  readonly phrTime: Date | null;
  readonly trustedDevice: boolean;
  readonly assuredBy: readonly TenantId[];
  readonly assuredFactor: boolean;
  readonly ownProofMissing: boolean;
  readonly amr: string[];
  readonly refreshExpiresIn: number;
}

/** A grant, and whether it is active and a replayed generation may be a retry. */
export interface GrantState extends GrantView {
  readonly alive: boolean;
  readonly withinRetryWindow: boolean;
}

/** A grant of a further client of a session. */
export interface FurtherGrant {
  readonly clientId: string;
  readonly tenantId: TenantId | null;
  readonly grantedScopes?: readonly string[] | null;
  /** Key that the tokens are bound to. */
  readonly dpopJkt?: string | null;
}

/** NOTIFY channel by which replicas learn of grants that have ended before their session. */
export const GRANT_ENDED_CHANNEL = 'gatehouse_grant_ended';

/** Maximum active grants per session and client; the oldest are ended. */
const MAX_GRANTS_PER_SESSION_AND_CLIENT = 20;

/** SQL of whether only connections have vouched for the person of a session `s`. */
export const OWN_PROOF_MISSING = `(s.vouched_by <> '{}' AND NOT s.own_proof)`;

/** SELECT list of a {@link GrantView}, of a grant `g` and its session `s`. */
export const VIEW = `g.id AS "grantId", ${columnsOf(GrantEntity, 'g', GRANT)}, coalesce(s.confirmed_at, s.created_at) AS "authTime", s.aal2_at AS "aal2Time", s.phr_at AS "phrTime", s.trusted_device AS "trustedDevice", s.vouched_by AS "assuredBy", s.vouched_factor AS "assuredFactor", ${OWN_PROOF_MISSING} AS "ownProofMissing", s.amr, floor(extract(epoch FROM g.idle_expires_at - now()))::int AS "refreshExpiresIn"`;

/**
 * Returns the WITH query `excess`: the ids of the grants that are to end, by the place of the new
 * one. Never the grant of the sign-in itself, which is the session's first: it is the portal's,
 * which has issued the codes of the others.
 * @param source a query as `s` in {@link insertFurther}
 */
const excessOf = (source: string): string => `excess AS MATERIALIZED (
     SELECT new.place, old.id FROM ${source} AS new CROSS JOIN LATERAL (
       SELECT id FROM grants WHERE session_id = new.id AND client_id = new.client_id AND ended_at IS NULL
         AND id <> (SELECT min(id) FROM grants WHERE session_id = new.id)
       ORDER BY id DESC OFFSET ${MAX_GRANTS_PER_SESSION_AND_CLIENT - 1}) AS old)`;

/**
 * Returns the WITH queries `oldest` and `g`, which insert further grants as
 * {@link GrantRepository.insertFurther} does. They follow `excess` and a query `s`: the rows of the
 * sessions, each with `place`, `grant_id`, `client_id`, `tenant_id`, `granted_scopes` and
 * `dpop_jkt` of its new grant.
 */
const insertFurther = (idleSeconds: string): string => `oldest AS (
     UPDATE grants SET ended_at = now() WHERE id IN (SELECT excess.id FROM excess JOIN s USING (place))
   ), g AS (
     INSERT INTO grants (id, session_id, account_id, client_id, tenant_id, idle_expires_at, granted_scopes, dpop_jkt)
     SELECT grant_id, id, account_id, client_id, tenant_id, least(now() + make_interval(secs => ${idleSeconds}), expires_at), granted_scopes, dpop_jkt FROM s RETURNING *)`;

/** SQL by which another statement inserts further grants. */
export interface FurtherStatement {
  /** WITH queries `oldest` and `g`; join `g` with `s` by `s.grant_id = g.id`. */
  readonly queries: string;
  /** Columns of a {@link GrantView}, of `g` and `s`. */
  readonly columns: string;
}

/** Refresh grants. The generation counter of a row is the whole state of its rotation. */
@Injectable()
export class GrantRepository {
  constructor(private readonly database: Database) {}

  /**
   * Inserts a further grant of a locked session, and ends the client's oldest grants of the session
   * beyond the limit.
   */
  async insertFurther(
    id: string,
    sessionId: SessionId,
    { clientId, tenantId, grantedScopes = null, dpopJkt = null }: FurtherGrant,
    idleSeconds: number,
  ): Promise<GrantView | null> {
    return this.database.row<GrantView>(
      prepared(`WITH s AS (
           SELECT sessions.*, 1 AS place, $2::text AS grant_id, $3::text AS client_id, $4::text AS tenant_id, $6::text[] AS granted_scopes, $7::text AS dpop_jkt
           FROM sessions WHERE id = $1
         ), ${excessOf('s')}, ${insertFurther('$5')} SELECT ${VIEW} FROM g CROSS JOIN s`),
      [sessionId, id, clientId, tenantId, idleSeconds, grantedScopes, dpopJkt],
    );
  }

  /**
   * Returns what inserts further grants as {@link insertFurther} does, within the statement of what
   * gives them. Its WITH queries follow a query `s` of the locked sessions, each with `place`,
   * `grant_id`, `client_id`, `tenant_id`, `granted_scopes` and `dpop_jkt` of its new grant.
   * @param idleSeconds SQL of a number
   */
  furtherStatement(idleSeconds: string): FurtherStatement {
    return { queries: `${excessOf('s')}, ${insertFurther(idleSeconds)}`, columns: VIEW };
  }

  /**
   * Returns what inserts further grants as {@link furtherStatement} does, and waits for no lock:
   * besides, the WITH queries by which `s` is made. `excess`, `endable` and `free` follow a query
   * `found` as `s` is, with one row at most of a session and client; `free` has those of its rows
   * whose grants beyond the limit are now locked.
   */
  furtherFreeStatement(idleSeconds: string): FurtherStatement & { readonly free: string } {
    return {
      free: `${excessOf('found')}, endable AS MATERIALIZED (
         SELECT grants.id FROM excess JOIN grants ON grants.id = excess.id WHERE grants.ended_at IS NULL FOR NO KEY UPDATE OF grants SKIP LOCKED
       ), free AS MATERIALIZED (
         SELECT * FROM found WHERE place NOT IN (SELECT place FROM excess WHERE id NOT IN (SELECT id FROM endable)))`,
      queries: insertFurther(idleSeconds),
      columns: VIEW,
    };
  }

  /** Ends grants before their session, and tells all replicas after the commit. */
  async end(ids: readonly string[]): Promise<void> {
    await this.database.rows(
      `WITH ended AS (UPDATE grants SET ended_at = now() WHERE id = ANY($1) AND ended_at IS NULL RETURNING id)
       SELECT pg_notify('${GRANT_ENDED_CHANNEL}', id), ${NOTIFY_TIME} FROM ended`,
      [ids],
    );
  }

  /** Returns whether a grant of OpenID Connect belongs to the client. */
  async isOfClient(id: string, clientId: string): Promise<boolean> {
    const sql = 'SELECT 1 FROM grants WHERE id = $1 AND client_id = $2 AND granted_scopes IS NOT NULL';
    return (await this.database.row(sql, [id, clientId])) !== null;
  }

  /** Ends the grants of a person at a client. @returns their ids */
  async endOfClient(userId: UserId, clientId: string): Promise<string[]> {
    const found = await this.database.rows<{ id: string }>(
      `SELECT g.id FROM sessions s JOIN grants g ON g.session_id = s.id
       WHERE s.account_id = $1 AND s.ended_at IS NULL AND g.client_id = $2 AND g.ended_at IS NULL AND g.granted_scopes IS NOT NULL`,
      [userId, clientId],
    );
    const ids = found.map(({ id }) => id);
    if (ids.length > 0) await this.end(ids);
    return ids;
  }

  /** Returns those of these grants that are alive, as their sessions may be. */
  async findAliveIds(ids: readonly string[]): Promise<string[]> {
    const alive = await this.database.rows<{ id: string }>(
      prepared('SELECT id FROM grants WHERE id = ANY($1) AND ended_at IS NULL'),
      [ids],
    );
    return alive.map(({ id }) => id);
  }

  /**
   * Sets the tenant of a grant in one atomic statement. A concurrent end of the membership either
   * precedes the statement or finds the tenant that it has set.
   * @param mayMove false for a grant that must stay in the tenant that it was issued for
   * @returns null if the grant has ended, the person is not a member, or the grant may not move
   */
  async selectTenant(
    id: string,
    userId: UserId,
    tenantId: TenantId,
    mayMove: boolean,
  ): Promise<GrantView | null> {
    return this.database.row<GrantView>(
      prepared(`WITH held AS (${heldMembership('$2', '$3')}), g AS (
         UPDATE grants SET tenant_id = $2 FROM held WHERE id = $1 AND ($4 OR grants.tenant_id = $2) AND ended_at IS NULL AND idle_expires_at > now() RETURNING grants.*)
       SELECT ${VIEW} FROM g JOIN sessions s ON s.id = g.session_id`),
      [id, tenantId, userId, mayMove],
    );
  }

  async clearTenant(id: string): Promise<void> {
    await this.database.repository(GrantEntity).update({ id }, { tenantId: null });
  }

  /**
   * Removes tenants from a person's grants. Locks the sessions, then the grants, in order of id, as
   * the end of a session does, to avoid deadlocks. The locks also keep concurrent refreshes and
   * code exchanges from adding the tenant again.
   */
  async clearTenantsForUpdate(accountId: UserId, tenantIds: readonly TenantId[]): Promise<void> {
    const sessions = await this.database.rows<{ id: SessionId }>(
      'SELECT id FROM sessions WHERE account_id = $1 AND ended_at IS NULL ORDER BY id FOR NO KEY UPDATE',
      [accountId],
    );
    await this.database.rows(
      'SELECT 1 FROM grants WHERE session_id = ANY($1) AND ended_at IS NULL ORDER BY id FOR UPDATE',
      [sessions.map(({ id }) => id)],
    );
    await this.database.rows(
      'UPDATE grants SET tenant_id = NULL WHERE account_id = $1 AND tenant_id = ANY($2) AND ended_at IS NULL',
      [accountId, tenantIds],
    );
  }

  /** Removes a tenant from any grants. @returns the number of changed grants, at most `limit` */
  async clearTenantOfAnyForUpdate(tenantId: TenantId, limit: number): Promise<number> {
    const cleared = await this.database.rows(
      `UPDATE grants SET tenant_id = NULL WHERE id IN (
         SELECT id FROM grants WHERE tenant_id = $1 ORDER BY id LIMIT $2 FOR UPDATE) RETURNING 1`,
      [tenantId, limit],
    );
    return cleared.length;
  }

  /** Returns a grant unless it has ended or expired. */
  findAlive(id: string): Promise<GrantView | null> {
    return this.database.row<GrantView>(
      prepared(`SELECT ${VIEW} FROM grants g JOIN sessions s ON s.id = g.session_id
       WHERE g.id = $1 AND g.ended_at IS NULL AND g.idle_expires_at > now()`),
      [id],
    );
  }

  /** Returns the state of a grant. Waits for a concurrent change of it. */
  async findStateForShare(id: string, retrySeconds: number): Promise<GrantState | null> {
    return this.database.row<GrantState>(
      `SELECT ${VIEW}, g.ended_at IS NULL AND g.idle_expires_at > now()
           AND NOT EXISTS (SELECT 1 FROM disabled_clients d WHERE d.client_id = g.client_id) AS alive,
         g.rotated_at > now() - make_interval(secs => $2) AS "withinRetryWindow"
       FROM grants g JOIN sessions s ON s.id = g.session_id WHERE g.id = $1 FOR SHARE OF g`,
      [id, retrySeconds],
    );
  }
}
