import { Injectable } from '@nestjs/common';
import { heldMemberships } from '../../iam/index.js';
import {
  columnsOf,
  Database,
  prepared,
  type Selected,
  textArray,
  TurnBatch,
} from '../../platform/database/index.js';
import { NOTIFY_TIME } from '../../platform/live/index.js';
import type { Locked, SessionId, TenantId, UserId } from '../../kernel/index.js';
import { ASSERTION } from '../evidence/evidence.js';
import { GrantEntity } from './grant.entity.js';

const GRANT = {
  sessionId: true,
  userId: true,
  clientId: true,
  tenantId: true,
  generation: true,
  grantedScopes: true,
  dpopJkt: true,
  stationId: true,
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
export interface NewGrant extends Pick<
  GrantEntity,
  'id' | 'userId' | 'clientId' | 'tenantId' | 'grantedScopes' | 'dpopJkt'
> {
  readonly sessionId: Locked<SessionId>;
}

/** The first-party grant of a session that the open transaction has started. */
export interface StartedGrant extends GrantView {
  readonly sessionId: Locked<SessionId>;
}

/** NOTIFY channel by which replicas learn of grants that have ended before their session. */
export const GRANT_ENDED_CHANNEL = 'gatehouse_grant_ended';

/** Maximum active grants per session and client; the oldest are ended. */
const MAX_GRANTS_PER_SESSION_AND_CLIENT = 20;

/** SQL of whether the client of a grant is one by metadata document: its id is a URL. */
const IS_AGENT = `strpos(client_id, '://') > 0`;
const ENDS_AGENT = `CASE WHEN ${IS_AGENT} THEN now() END`;

/** SQL of whether a grant is for the tenant `$1`, or for none. */
const inTenant = (tenantId: TenantId | null): string =>
  tenantId === null ? `(tenant_id IS NULL AND $1 = '')` : 'tenant_id = $1';

/** SQL of whether only connections have vouched for the person of a session `s`. */
export const OWN_PROOF_MISSING = `(s.vouched_by <> '{}' AND NOT s.own_proof)`;

/** SELECT list of a {@link GrantView}, of a grant `g` and its session `s`. */
export const VIEW = `g.id AS "grantId", ${columnsOf(GrantEntity, 'g', GRANT)}, coalesce(s.confirmed_at, s.created_at) AS "authTime", s.aal2_at AS "aal2Time", s.phr_at AS "phrTime", s.trusted_device AS "trustedDevice", s.vouched_by AS "assuredBy", s.vouched_factor AS "assuredFactor", ${OWN_PROOF_MISSING} AS "ownProofMissing", s.amr, floor(extract(epoch FROM g.idle_expires_at - now()))::int AS "refreshExpiresIn"`;

/** A tenant that the owner of a grant selects. */
interface Selection {
  readonly grantId: string;
  readonly userId: UserId;
  readonly tenantId: TenantId;
  /** False for a grant that must stay in the tenant that it was issued for. */
  readonly mayMove: boolean;
}

/** Which grant an identity assertion continues. */
export interface AskedAssertion {
  readonly userId: UserId;
  readonly connectionId: string;
  readonly tenantId: TenantId;
  readonly clientId: string;
  /** Whether the assertion stands for two factors: one that does not continues no such session. */
  readonly assuredFactor: boolean;
}

/** Finds the newest grant of each question, in the few sessions of the account by index. */
const ASSERTED = prepared(`SELECT (place - 1)::int AS index, found.*
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bool[]) WITH ORDINALITY AS asked (user_id, connection_id, tenant_id, client_id, factor, place)
    CROSS JOIN LATERAL (
      SELECT ${VIEW} FROM sessions s
        JOIN session_evidence e ON e.session_id = s.id AND e.method = '${ASSERTION}' AND e.connection_id = asked.connection_id
        JOIN grants g ON g.session_id = s.id
      WHERE s.account_id = asked.user_id AND s.ended_at IS NULL AND s.expires_at > now() AND s.vouched_factor = asked.factor
        AND g.client_id = asked.client_id AND g.tenant_id = asked.tenant_id AND g.ended_at IS NULL AND g.idle_expires_at > now()
      ORDER BY s.id DESC LIMIT 1) AS found`);

/** Locks memberships, then grants: each that waits does so for one selection only. */
const selectTenants = (skip: '' | 'SKIP LOCKED'): string =>
  prepared(`WITH asked AS MATERIALIZED (
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bool[]) WITH ORDINALITY AS asked (id, user_id, tenant_id, may_move, place)
   ), held AS MATERIALIZED (${heldMemberships(skip)}
   ), free AS MATERIALIZED (
     SELECT g.id, asked.tenant_id, place FROM held JOIN asked USING (place) JOIN grants g ON g.id = asked.id AND (may_move OR g.tenant_id = asked.tenant_id)
     ORDER BY g.id FOR NO KEY UPDATE OF g ${skip}
   ), g AS (
     UPDATE grants SET tenant_id = free.tenant_id FROM free
     WHERE grants.id = free.id AND ended_at IS NULL AND idle_expires_at > now() RETURNING grants.*, place)
   SELECT (place - 1)::int AS index, ${VIEW} FROM g JOIN sessions s ON s.id = g.session_id`);

const SELECT_TENANT = selectTenants('');
const SELECT_FREE = selectTenants('SKIP LOCKED');

/** Refresh grants. The generation counter of a row is the whole state of its rotation. */
@Injectable()
export class GrantRepository {
  private readonly selections = new TurnBatch<Selection, GrantView>((all, waits) =>
    this.selectAll(all, waits),
  );

  private readonly asserted = new TurnBatch<AskedAssertion, { readonly grant: GrantView | null }>((all) =>
    this.findAllAsserted(all),
  );

  constructor(private readonly database: Database) {}

  /**
   * Inserts further grants and ends the oldest ones of each session and client
   * beyond the limit: never the grant of the sign-in itself, which is the session's first. One that
   * another transaction holds ends with the next grant: nothing waits for it.
   */
  insertFurther(grants: readonly NewGrant[], idleSeconds: number): Promise<GrantView[]> {
    return this.database.rows<GrantView>(
      prepared(`WITH new AS MATERIALIZED (
         SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) AS new (id, session_id, client_id, tenant_id, scopes, dpop_jkt)
       ), oldest AS (
         UPDATE grants SET ended_at = now() WHERE id IN (
           SELECT g.id FROM (SELECT session_id, client_id, count(*) AS added FROM new GROUP BY session_id, client_id) AS pair
             CROSS JOIN LATERAL (
               SELECT id FROM grants WHERE session_id = pair.session_id AND client_id = pair.client_id AND ended_at IS NULL
                 AND id <> (SELECT min(id) FROM grants WHERE session_id = pair.session_id)
               ORDER BY id DESC OFFSET greatest(${MAX_GRANTS_PER_SESSION_AND_CLIENT} - pair.added, 0)) AS old
             JOIN grants g ON g.id = old.id FOR NO KEY UPDATE OF g SKIP LOCKED)
       ), g AS (
         INSERT INTO grants (id, session_id, account_id, client_id, tenant_id, granted_scopes, dpop_jkt, idle_expires_at)
         SELECT new.id, s.id, s.account_id, new.client_id, new.tenant_id, string_to_array(new.scopes, ' '), new.dpop_jkt,
           least(now() + make_interval(secs => $1), s.expires_at)
         FROM new JOIN sessions s ON s.id = new.session_id RETURNING *
       )
       SELECT ${VIEW} FROM g JOIN sessions s ON s.id = g.session_id`),
      [
        idleSeconds,
        textArray(grants.map(({ id }) => id)),
        textArray(grants.map(({ sessionId }) => sessionId)),
        textArray(grants.map(({ clientId }) => clientId)),
        textArray(grants.map(({ tenantId }) => tenantId)),
        textArray(grants.map(({ grantedScopes }) => grantedScopes?.join(' ') ?? null)),
        textArray(grants.map(({ dpopJkt }) => dpopJkt)),
      ],
    );
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
  isOfClient(id: string, clientId: string): Promise<boolean> {
    const sql = 'SELECT 1 FROM grants WHERE id = $1 AND client_id = $2 AND granted_scopes IS NOT NULL';
    return this.database.hasRow(sql, [id, clientId]);
  }

  /** Ends the grants of a person at a client. @returns their ids */
  async endOfClient(userId: UserId, clientId: string): Promise<string[]> {
    const ids = await this.database.values<string>(
      `SELECT g.id FROM sessions s JOIN grants g ON g.session_id = s.id
       WHERE s.account_id = $1 AND s.ended_at IS NULL AND g.client_id = $2 AND g.ended_at IS NULL AND g.granted_scopes IS NOT NULL`,
      [userId, clientId],
    );
    if (ids.length > 0) await this.end(ids);
    return ids;
  }

  /** Returns the clients by metadata document that have grants for a tenant, or for none. */
  listAgents(tenantId: TenantId | null): Promise<string[]> {
    return this.database.values(
      `SELECT DISTINCT client_id FROM grants WHERE ${inTenant(tenantId)} AND ${IS_AGENT} AND ended_at IS NULL`,
      [tenantId ?? ''],
    );
  }

  /**
   * Ends the grants that a client by metadata document has for a tenant, or for none.
   * @returns their ids
   */
  async endOfAgent(tenantId: TenantId | null, clientId: string): Promise<string[]> {
    const ids = await this.database.values<string>(
      `SELECT id FROM grants WHERE ${inTenant(tenantId)} AND ${IS_AGENT} AND client_id = $2 AND ended_at IS NULL`,
      [tenantId ?? '', clientId],
    );
    if (ids.length > 0) await this.end(ids);
    return ids;
  }

  /** Returns those of these grants that are alive, as their sessions may be. */
  findAliveIds(ids: readonly string[]): Promise<string[]> {
    return this.database.values(prepared('SELECT id FROM grants WHERE id = ANY($1) AND ended_at IS NULL'), [
      ids,
    ]);
  }

  /**
   * Sets the tenant of a grant in one atomic statement; outside of transactions, those of one turn
   * of the event loop together. A concurrent end of the membership either precedes the statement or
   * finds the tenant that it has set.
   * @returns null if the grant has ended, the person is not a member, or the grant may not move
   */
  async selectTenant(selection: Selection): Promise<GrantView | null> {
    if (!this.database.inTransaction) return this.selections.ask(selection);
    return (await this.selectAll([selection], true))[0] ?? null;
  }

  /** Sets the tenant of a grant, whatever the membership. @returns null if the grant has ended */
  setTenant(id: string, tenantId: TenantId): Promise<GrantView | null> {
    return this.database.row<GrantView>(
      prepared(`WITH g AS (
         UPDATE grants SET tenant_id = $2 WHERE id = $1 AND ended_at IS NULL AND idle_expires_at > now() RETURNING *)
       SELECT ${VIEW} FROM g JOIN sessions s ON s.id = g.session_id`),
      [id, tenantId],
    );
  }

  /** @returns the grants by the indexes of their selections */
  private async selectAll(all: readonly Selection[], waits: boolean): Promise<GrantView[]> {
    const selected: GrantView[] = [];
    const rows = await this.database.rows<GrantView & { readonly index: number }>(
      waits ? SELECT_TENANT : SELECT_FREE,
      [
        textArray(all.map(({ grantId }) => grantId)),
        textArray(all.map(({ userId }) => userId)),
        textArray(all.map(({ tenantId }) => tenantId)),
        all.map(({ mayMove }) => mayMove),
      ],
    );
    for (const { index, ...grant } of rows) selected[index] = grant;
    return selected;
  }

  /**
   * Removes tenants from a person's grants, and ends the agents' ones. Locks the sessions, then the
   * grants, in order of id, as the end of a session does, to avoid deadlocks. The locks also keep
   * concurrent refreshes and code exchanges from adding the tenant again.
   */
  async clearTenantsForUpdate(accountId: UserId, tenantIds: readonly TenantId[]): Promise<void> {
    const sessionIds = await this.database.values<SessionId>(
      'SELECT id FROM sessions WHERE account_id = $1 AND ended_at IS NULL ORDER BY id FOR NO KEY UPDATE',
      [accountId],
    );
    await this.database.rows(
      'SELECT 1 FROM grants WHERE session_id = ANY($1) AND ended_at IS NULL ORDER BY id FOR UPDATE',
      [sessionIds],
    );
    await this.database.rows(
      `UPDATE grants SET tenant_id = NULL, ended_at = ${ENDS_AGENT}
       WHERE account_id = $1 AND tenant_id = ANY($2) AND ended_at IS NULL`,
      [accountId, tenantIds],
    );
  }

  /**
   * Removes a tenant from any grants, and ends the agents' ones.
   * @returns the number of changed grants, at most `limit`
   */
  async clearTenantOfAnyForUpdate(tenantId: TenantId, limit: number): Promise<number> {
    const cleared = await this.database.rows(
      `UPDATE grants SET tenant_id = NULL, ended_at = coalesce(ended_at, ${ENDS_AGENT}) WHERE id IN (
         SELECT id FROM grants WHERE tenant_id = $1 ORDER BY id LIMIT $2 FOR UPDATE) RETURNING 1`,
      [tenantId, limit],
    );
    return cleared.length;
  }

  /**
   * Finds the newest grant of a client in a session that an identity assertion has started,
   * together with others of this turn of the event loop. Not for a transaction.
   */
  async findAsserted(asked: AskedAssertion): Promise<GrantView | null> {
    return (await this.asserted.ask(asked))?.grant ?? null;
  }

  private async findAllAsserted(
    all: readonly AskedAssertion[],
  ): Promise<{ readonly grant: GrantView | null }[]> {
    const found = all.map(() => ({ grant: null as GrantView | null }));
    const rows = await this.database.rows<GrantView & { readonly index: number }>(ASSERTED, [
      textArray(all.map(({ userId }) => userId)),
      textArray(all.map(({ connectionId }) => connectionId)),
      textArray(all.map(({ tenantId }) => tenantId)),
      textArray(all.map(({ clientId }) => clientId)),
      all.map(({ assuredFactor }) => assuredFactor),
    ]);
    for (const { index, ...grant } of rows) found[index] = { grant };
    return found;
  }

  /** Returns a grant unless it has ended or expired. */
  findAlive(id: string): Promise<GrantView | null> {
    return this.database.row<GrantView>(
      prepared(`SELECT ${VIEW} FROM grants g JOIN sessions s ON s.id = g.session_id
       WHERE g.id = $1 AND g.ended_at IS NULL AND g.idle_expires_at > now()`),
      [id],
    );
  }

  /** Returns the newest grant of OpenID Connect of a client in a session that is alive. */
  findOfSession(sessionId: SessionId, clientId: string): Promise<GrantView | null> {
    return this.database.row<GrantView>(
      prepared(`SELECT ${VIEW} FROM grants g JOIN sessions s ON s.id = g.session_id
       WHERE g.session_id = $1 AND g.client_id = $2 AND g.granted_scopes IS NOT NULL AND g.ended_at IS NULL AND g.idle_expires_at > now()
         AND s.ended_at IS NULL AND s.expires_at > now() ORDER BY g.id DESC LIMIT 1`),
      [sessionId, clientId],
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
