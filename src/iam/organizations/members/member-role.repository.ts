import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { prepared, TenantDatabase } from '../../../platform/database/index.js';
import { OWNER } from '../roles/role-scopes.js';
import type { Membership, MemberSource } from './member.entity.js';
import { ENDS_IN_MS_OF_M, IS_ACTIVE, nextNotice, notEnded, ROLE_IDS_OF_M } from './member-sql.js';

/** The roles that a member is to have of a source. */
export interface RolesOfMember {
  readonly userId: UserId;
  readonly roleIds: readonly string[];
}

const ROLE_IDS = prepared(
  `SELECT ${ROLE_IDS_OF_M} FROM members m WHERE m.tenant_id = $1 AND m.user_id = $2 AND ${IS_ACTIVE}`,
);
const ROLE_IDS_LOCKED = prepared(`${ROLE_IDS} FOR SHARE OF m`);
/** LIMIT makes the planner look up each member by key, whatever number of rows it estimates. */
const ROLE_IDS_OF_EACH =
  prepared(`SELECT asked.tenant_id AS "tenantId", asked.user_id AS "userId", found."roleIds", found."joinedAt", found."hasAssignments", found."endsInMs"
   FROM unnest($1::text[], $2::text[]) asked (tenant_id, user_id) CROSS JOIN LATERAL (
     SELECT ${ROLE_IDS_OF_M}, m.joined_at AS "joinedAt",
       EXISTS (SELECT 1 FROM role_assignments a WHERE a.tenant_id = m.tenant_id AND a.user_id = m.user_id) AS "hasAssignments",
       ${ENDS_IN_MS_OF_M}
     FROM members m WHERE m.tenant_id = asked.tenant_id AND m.user_id = asked.user_id AND ${IS_ACTIVE} LIMIT 1) found`);

/** A role to give by hand. */
export interface RoleToGive {
  readonly id: string;
  /** End; null for none, undefined for the one that the member's role has already. */
  readonly until?: Date | null | undefined;
}

/** Keeps the end of a role that is held, unless another is named. A new one has none. */
const GIVE = prepared(`INSERT INTO member_roles (tenant_id, user_id, role_id, until, notice_at)
   SELECT $1, $2, g.id, g.until, ${nextNotice('g.until')} FROM unnest($3::text[], $4::timestamptz[], $5::bool[]) g (id, until, named)
   WHERE g.named OR NOT EXISTS (SELECT 1 FROM member_roles h WHERE h.tenant_id = $1 AND h.user_id = $2 AND h.role_id = g.id
     AND h.source = 'manual' AND ${notEnded('h')})
   ON CONFLICT (tenant_id, user_id, role_id, source) DO UPDATE SET until = excluded.until, notice_at = excluded.notice_at`);

/** Roles of members, each by the source that gave it. */
@Injectable()
export class MemberRoleRepository {
  constructor(private readonly database: TenantDatabase) {}

  /** Gives a member roles without an end, besides those that they have. */
  async add(
    tenantId: TenantId,
    userId: UserId,
    roleIds: readonly string[],
    source: MemberSource,
  ): Promise<void> {
    await this.database.rows(
      tenantId,
      `INSERT INTO member_roles (tenant_id, user_id, role_id, source) SELECT $1, $2, unnest($3::text[]), $4
       ON CONFLICT (tenant_id, user_id, role_id, source) DO UPDATE SET until = NULL, notice_at = NULL`,
      [userId, roleIds, source],
    );
  }

  /** Gives a member a role by hand until a time, unless they have it for longer. */
  async giveUntil(tenantId: TenantId, userId: UserId, roleId: string, until: Date): Promise<void> {
    await this.database.rows(
      tenantId,
      `INSERT INTO member_roles (tenant_id, user_id, role_id, until, notice_at) VALUES ($1, $2, $3, $4, ${nextNotice('$4::timestamptz')})
       ON CONFLICT (tenant_id, user_id, role_id, source) DO UPDATE SET until = excluded.until, notice_at = excluded.notice_at
         WHERE member_roles.until < excluded.until`,
      [userId, roleId, until],
    );
  }

  /** Returns the ids of the roles that the source gave. */
  findIdsOfSource(tenantId: TenantId, userId: UserId, source: MemberSource): Promise<string[]> {
    return this.database.values(
      tenantId,
      'SELECT role_id FROM member_roles WHERE tenant_id = $1 AND user_id = $2 AND source = $3 ORDER BY role_id',
      [userId, source],
    );
  }

  /** Replaces the roles that were given by hand. Roles of other sources stay. */
  async replace(tenantId: TenantId, userId: UserId, roles: readonly RoleToGive[]): Promise<void> {
    const ids = roles.map(({ id }) => id);
    await this.database.rows(
      tenantId,
      "DELETE FROM member_roles WHERE tenant_id = $1 AND user_id = $2 AND role_id <> ALL($3) AND source = 'manual'",
      [userId, ids],
    );
    await this.database.rows(tenantId, GIVE, [
      userId,
      ids,
      roles.map(({ until }) => until ?? null),
      roles.map(({ until }) => until !== undefined),
    ]);
  }

  /**
   * Replaces the roles that the source gave to several members. Roles of other sources stay.
   * @returns the members whose roles have changed
   */
  replaceOfSource(
    tenantId: TenantId,
    desired: readonly RolesOfMember[],
    source: MemberSource,
  ): Promise<UserId[]> {
    const pairs = desired.flatMap(({ userId, roleIds }) => roleIds.map((roleId) => ({ userId, roleId })));
    return this.database.values(
      tenantId,
      `WITH wanted AS (SELECT * FROM unnest($3::text[], $4::text[]) w (user_id, role_id)),
         removed AS (DELETE FROM member_roles mr WHERE mr.tenant_id = $1 AND mr.user_id = ANY($2) AND mr.source = $5
           AND NOT EXISTS (SELECT 1 FROM wanted w WHERE w.user_id = mr.user_id AND w.role_id = mr.role_id) RETURNING mr.user_id),
         added AS (INSERT INTO member_roles (tenant_id, user_id, role_id, source)
           SELECT m.tenant_id, w.user_id, w.role_id, $5 FROM wanted w JOIN members m ON m.tenant_id = $1 AND m.user_id = w.user_id
           ON CONFLICT DO NOTHING RETURNING user_id)
       SELECT user_id FROM removed UNION SELECT user_id FROM added`,
      [
        desired.map(({ userId }) => userId),
        pairs.map(({ userId }) => userId),
        pairs.map(({ roleId }) => roleId),
        source,
      ],
    );
  }

  /** Makes the roles that a source gave to members roles that were given by hand. */
  async adopt(tenantId: TenantId, userIds: readonly UserId[], source: MemberSource): Promise<void> {
    await this.database.rows(
      tenantId,
      `WITH given AS (DELETE FROM member_roles WHERE tenant_id = $1 AND user_id = ANY($2) AND source = $3 RETURNING user_id, role_id)
       INSERT INTO member_roles (tenant_id, user_id, role_id) SELECT $1, user_id, role_id FROM given
       ON CONFLICT (tenant_id, user_id, role_id, source) DO UPDATE SET until = NULL, notice_at = NULL`,
      [userIds, source],
    );
  }

  /** Gives each the role of an owner without an end, besides their other roles. */
  async makeOwners(memberships: readonly Membership[]): Promise<void> {
    await this.database.rowsOfEach(
      memberships.map(({ tenantId }) => tenantId),
      `INSERT INTO member_roles (tenant_id, user_id, role_id)
       SELECT asked.tenant_id, asked.user_id, r.id FROM unnest($1::text[], $2::text[]) asked (tenant_id, user_id)
         JOIN roles r ON r.tenant_id = asked.tenant_id AND r.key = '${OWNER}'
       ON CONFLICT (tenant_id, user_id, role_id, source) DO UPDATE SET until = NULL, notice_at = NULL`,
      [memberships.map(({ userId }) => userId)],
    );
  }

  /**
   * Returns the ids of a member's roles; null if the person is no member, or a suspended one.
   * @param lock locks the membership, so that it does not end before the transaction
   */
  async findIds(tenantId: TenantId, userId: UserId, lock: boolean): Promise<string[] | null> {
    const sql = lock ? ROLE_IDS_LOCKED : ROLE_IDS;
    return (await this.database.row<{ roleIds: string[] }>(tenantId, sql, [userId]))?.roleIds ?? null;
  }

  /**
   * Returns the ids of several members' roles, when they joined, whether they have roles on things,
   * and the milliseconds until something of it ends, without persons who are no members and without
   * suspended members.
   */
  findIdsOfEach(
    tenantIds: readonly string[],
    userIds: readonly string[],
  ): Promise<
    {
      tenantId: string;
      userId: string;
      roleIds: string[];
      joinedAt: Date;
      hasAssignments: boolean;
      endsInMs: number | null;
    }[]
  > {
    return this.database.rowsOfEach(tenantIds, ROLE_IDS_OF_EACH, [userIds]);
  }
}
