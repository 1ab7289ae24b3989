import { Injectable } from '@nestjs/common';
import { newId, type TenantId, type UserId } from '../../../kernel/index.js';
import type { Page } from '../../../platform/api/index.js';
import { Database, type RowContext, TenantDatabase } from '../../../platform/database/index.js';
import type { RequestStatus } from './access-request.entity.js';
import { AccessRequestPolicyEntity } from './access-request-policy.entity.js';

/** A request, with the key of its role. */
export interface AccessRequest {
  readonly id: string;
  readonly userId: UserId;
  readonly role: string;
  readonly roleId: string;
  readonly thing: string | null;
  readonly hours: number;
  readonly reason: string;
  readonly status: RequestStatus;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly decidedAt: Date | null;
  readonly decidedBy: UserId | null;
  readonly until: Date | null;
}

/** Which requests are listed; without a field, all. */
export interface RequestFilter {
  readonly userId?: UserId | undefined;
  readonly status?: RequestStatus | undefined;
}

/** A request that its policy judges. */
export interface JudgedRequest {
  readonly id: string;
  readonly userId: UserId;
  readonly isPending: boolean;
}

/** Lets people see and decide the requests of others. */
export const DECIDE = 'iam:access-request:decide';
/** Time in which a request is decided. */
const PENDING = "interval '7 days'";
/** A request waits until its time has passed, whether or not the cleanup has run. */
const IS_PENDING = "status = 'pending' AND expires_at > statement_timestamp()";
const STATUS =
  "CASE WHEN q.status = 'pending' AND q.expires_at <= statement_timestamp() THEN 'expired' ELSE q.status END";
const REQUESTS = `SELECT q.id, q.user_id AS "userId", r.key AS role, q.role_id AS "roleId", q.thing, q.hours, q.reason, ${STATUS} AS status,
     q.created_at AS "createdAt", q.expires_at AS "expiresAt", q.decided_at AS "decidedAt", q.decided_by AS "decidedBy", q.until
   FROM access_requests q JOIN roles r ON r.tenant_id = q.tenant_id AND r.id = q.role_id WHERE q.tenant_id = $1`;

/** Requests of members for access. */
@Injectable()
export class AccessRequestRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  /** @returns the id of the new request */
  async insert(
    tenantId: TenantId,
    request: Pick<AccessRequest, 'userId' | 'roleId' | 'thing' | 'hours' | 'reason'>,
  ): Promise<string> {
    const { userId, roleId, thing, hours, reason } = request;
    const id = newId();
    await this.tenants.rows(
      tenantId,
      `INSERT INTO access_requests (tenant_id, id, user_id, role_id, thing, hours, reason, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, now() + ${PENDING})`,
      [id, userId, roleId, thing, hours, reason],
    );
    return id;
  }

  find(tenantId: TenantId, id: string): Promise<AccessRequest | null> {
    return this.tenants.row(tenantId, `${REQUESTS} AND q.id = $2`, [id]);
  }

  /** Returns a page in order of id, and one row more if there is a next page. */
  list(
    tenantId: TenantId,
    { limit, after }: Page,
    { userId, status }: RequestFilter,
  ): Promise<AccessRequest[]> {
    const conditions = [
      ['q.id > ', after],
      ['q.user_id = ', userId],
      ['q.status = ', status],
    ].filter(([, value]) => value !== undefined && value !== null);
    const where = conditions.map(([sql], n) => `AND ${String(sql)}$${n + 2}`).join(' ');
    const waits = status === 'pending' ? 'AND q.expires_at > statement_timestamp()' : '';
    return this.tenants.rows(
      tenantId,
      `${REQUESTS} ${where} ${waits} ORDER BY q.id LIMIT ${limit + 1}`,
      conditions.map(([, value]) => value),
    );
  }

  /** Loads requests as their policy judges them. */
  loadByIds(ids: readonly string[], context: RowContext): Promise<ReadonlyMap<string, JudgedRequest>> {
    const sql = `SELECT id, user_id AS "userId", ${IS_PENDING} AS "isPending" FROM access_requests WHERE tenant_id = $1 AND id = ANY($2)`;
    return this.tenants.loadByIds<JudgedRequest>(sql, ids, context);
  }

  /** Counts the requests of a member that wait: all, and those for a role on a thing. */
  async countPending(
    tenantId: TenantId,
    userId: UserId,
    roleId: string,
    thing: string | null,
  ): Promise<{ readonly all: number; readonly same: number }> {
    const row = await this.tenants.row<{ all: number; same: number }>(
      tenantId,
      `SELECT count(*)::int AS all, (count(*) FILTER (WHERE role_id = $3 AND thing IS NOT DISTINCT FROM $4))::int AS same
       FROM access_requests WHERE tenant_id = $1 AND user_id = $2 AND ${IS_PENDING}`,
      [userId, roleId, thing],
    );
    return row ?? { all: 0, same: 0 };
  }

  /**
   * Ends a request that waits. Its policy has locked it.
   * @returns when the access of an approved one ends, by the clock of the database
   */
  async end(
    tenantId: TenantId,
    id: string,
    status: 'approved' | 'denied' | 'withdrawn',
    decidedBy: UserId,
  ): Promise<Date | null> {
    const row = await this.tenants.row<{ until: Date | null }>(
      tenantId,
      `UPDATE access_requests SET status = $3, decided_by = $4, decided_at = statement_timestamp(),
         until = CASE WHEN $3 = 'approved' THEN statement_timestamp() + make_interval(hours => hours) END
       WHERE tenant_id = $1 AND id = $2 AND ${IS_PENDING} RETURNING until`,
      [id, status, decidedBy],
    );
    return row?.until ?? null;
  }

  /** Notes some whose time has passed. @returns them */
  noteExpired(
    limit: number,
  ): Promise<{ readonly tenantId: TenantId; readonly id: string; readonly userId: UserId }[]> {
    return this.database.rows(
      `UPDATE access_requests SET status = 'expired' WHERE (tenant_id, id) IN (
         SELECT tenant_id, id FROM access_requests WHERE status = 'pending' AND expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING tenant_id AS "tenantId", id, user_id AS "userId"`,
      [limit],
    );
  }

  /** @returns null for the default */
  async findMaxHours(tenantId: TenantId): Promise<number | null> {
    const policy = await this.tenants.of(AccessRequestPolicyEntity).findOne(tenantId, {});
    return policy?.maxHours ?? null;
  }

  async setMaxHours(tenantId: TenantId, maxHours: number): Promise<void> {
    await this.tenants.rows(
      tenantId,
      `INSERT INTO access_request_policies (tenant_id, max_hours) VALUES ($1, $2)
       ON CONFLICT (tenant_id) DO UPDATE SET max_hours = excluded.max_hours`,
      [maxHours],
    );
  }
}
