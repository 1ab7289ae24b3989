import { Injectable } from '@nestjs/common';
import { newId, type TenantId, type UserId } from '../../../kernel/index.js';
import type { Page } from '../../../platform/api/index.js';
import { Database, prepared, type RowContext, TenantDatabase } from '../../../platform/database/index.js';
import { IS_ACTIVE, notEnded } from '../members/member-sql.js';
import {
  AccessRequestEntity,
  AccessRequestPolicyEntity,
  type RequestStatus,
} from './access-request.entity.js';

/** A request, with the key of its role. */
export interface AccessRequest extends Omit<AccessRequestEntity, 'tenantId'> {
  readonly role: string;
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

/** Roles that an approval needs, by their ids. */
export interface ApproverRoles {
  /** The member of the request, who does not decide about it. */
  readonly userId: UserId;
  /** One of these is needed in the whole tenant. */
  readonly deciding: readonly string[];
  /** One of these is needed in the whole tenant, or on this member. */
  readonly giving: readonly string[];
  /** The member as a thing, as `thingOf` spells it. */
  readonly requester: string;
  /** One of each of these sets is needed in the whole tenant. */
  readonly required: readonly (readonly string[])[];
}

/** Lets people see and decide the requests of others. */
export const DECIDE = 'iam:access-request:decide';
/** What gives a role to a member. The approver of a request must be able to give it. */
export const GIVE = 'iam:member:update';
/** Time in which a request is decided. */
const PENDING = "interval '7 days'";
/** A request waits until its time has passed, whether or not the cleanup has run. */
const IS_PENDING = "status = 'pending' AND expires_at > statement_timestamp()";
const STATUS =
  "CASE WHEN q.status = 'pending' AND q.expires_at <= statement_timestamp() THEN 'expired' ELSE q.status END";
const REQUESTS = `SELECT q.id, q.user_id AS "userId", r.key AS role, q.role_id AS "roleId", q.thing, q.hours, q.reason, ${STATUS} AS status,
     q.created_at AS "createdAt", q.expires_at AS "expiresAt", q.decided_at AS "decidedAt", q.decided_by AS "decidedBy", q.until
   FROM access_requests q JOIN roles r ON r.tenant_id = q.tenant_id AND r.id = q.role_id WHERE q.tenant_id = $1`;
/** Members who are mailed about a request. All who can approve it see it in the portal. */
const MAX_APPROVERS = 10;
/** Members with one role of whom it is looked up whether they can approve. */
const MAX_JUDGED = 200;
const HOLDS_SOME = (ids: string): string =>
  `EXISTS (SELECT 1 FROM member_roles mr WHERE mr.tenant_id = $1 AND mr.user_id = m.user_id AND mr.role_id = ANY(${ids}) AND ${notEnded('mr')})`;
/** The members of each role are read in order and by index. */
const APPROVERS = prepared(`SELECT m.user_id FROM (
     SELECT DISTINCT h.user_id FROM unnest($2::text[]) r (id) CROSS JOIN LATERAL (
       SELECT mr.user_id FROM member_roles mr WHERE mr.tenant_id = $1 AND mr.role_id = r.id AND ${notEnded('mr')}
       ORDER BY mr.user_id LIMIT ${MAX_JUDGED}) h) found
     JOIN members m ON m.tenant_id = $1 AND m.user_id = found.user_id AND ${IS_ACTIVE}
     JOIN accounts a ON a.id = m.user_id AND a.suspended_at IS NULL AND a.email IS NOT NULL
   WHERE m.user_id <> $3
     AND (${HOLDS_SOME('$4::text[]')} OR EXISTS (SELECT 1 FROM role_assignments ra WHERE ra.tenant_id = $1
       AND ra.user_id = m.user_id AND ra.thing = $5 AND ra.role_id = ANY($4::text[]) AND ${notEnded('ra')}))
     AND NOT EXISTS (SELECT 1 FROM unnest($6::text[]) n (ids) WHERE NOT ${HOLDS_SOME("string_to_array(n.ids, ',')")})
   ORDER BY m.user_id LIMIT ${MAX_APPROVERS}`);

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
    const id = newId();
    const row = { id, ...request, expiresAt: () => `now() + ${PENDING}` };
    await this.tenants.of(AccessRequestEntity).insert(tenantId, row);
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

  /** Finds active members with an address who hold what an approval needs, in order of id. */
  findApprovers(
    tenantId: TenantId,
    { userId, deciding, giving, requester, required }: ApproverRoles,
  ): Promise<UserId[]> {
    const sets = [...new Set(required.map((ids) => ids.join()))];
    return this.tenants.values(tenantId, APPROVERS, [deciding, userId, giving, requester, sets]);
  }

  /** Notes some whose time has passed. @returns them */
  noteExpired(limit: number): Promise<Pick<AccessRequestEntity, 'tenantId' | 'id' | 'userId'>[]> {
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
