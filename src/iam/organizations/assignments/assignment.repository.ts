import { Injectable } from '@nestjs/common';
import { newId, type TenantId, type UserId } from '../../../kernel/index.js';
import type { Page } from '../../../platform/api/index.js';
import { prepared, TenantDatabase } from '../../../platform/database/index.js';
import { IS_ACTIVE, nextNotice, notEnded } from '../members/member-sql.js';
import { AssignmentEntity } from './assignment.entity.js';

/** An assignment, with the key of its role. */
export interface Assignment extends Omit<AssignmentEntity, 'tenantId' | 'roleId' | 'noticeAt'> {
  readonly role: string;
  /** Name of the thing; null unless it is registered with one. */
  readonly name: string | null;
}

/** A role on a thing that rules give a member. */
export type RuledAssignment = Pick<AssignmentEntity, 'userId' | 'roleId' | 'thing'>;

/** An assignment that has begun or ended. */
export interface ChangedAssignment {
  readonly id: string;
  readonly userId: UserId;
  readonly isNew: boolean;
}

/** Which assignments are listed; without a field, all. */
export interface AssignmentFilter {
  readonly userId?: string | undefined;
  readonly thing?: string | undefined;
  /** Lists only those on one of these things. */
  readonly things?: readonly string[] | undefined;
  readonly roleId?: string | undefined;
  /** Lists only those that end before this time. */
  readonly endsBefore?: Date | undefined;
}

const IS_HELD = notEnded('a');
const NAME =
  '(SELECT t.name FROM registered_things t WHERE t.tenant_id = a.tenant_id AND t.thing = a.thing) AS name';
const COLUMNS = `a.id, a.user_id AS "userId", r.key AS role, a.thing, ${NAME}, a.until, a.created_at AS "createdAt", a.created_by AS "createdBy", a.source`;
const WITH_ROLE = 'role_assignments a JOIN roles r ON r.tenant_id = a.tenant_id AND r.id = a.role_id';
const ROLES_ON_THINGS = prepared(
  `SELECT a.thing, a.role_id AS "roleId" FROM role_assignments a
     JOIN members m ON m.tenant_id = a.tenant_id AND m.user_id = a.user_id AND ${IS_ACTIVE}
   WHERE a.tenant_id = $1 AND a.user_id = $2 AND a.thing = ANY($3::text[]) AND ${IS_HELD}`,
);
const THINGS_OF_ROLES = prepared(
  `SELECT DISTINCT a.thing FROM role_assignments a
     JOIN members m ON m.tenant_id = a.tenant_id AND m.user_id = a.user_id AND ${IS_ACTIVE}
   WHERE a.tenant_id = $1 AND a.user_id = $2 AND a.role_id = ANY($3::text[]) AND ${IS_HELD} ORDER BY a.thing`,
);
const ROLES_ON_ANYTHING = prepared(
  `SELECT DISTINCT a.role_id FROM role_assignments a
     JOIN members m ON m.tenant_id = a.tenant_id AND m.user_id = a.user_id AND ${IS_ACTIVE}
   WHERE a.tenant_id = $1 AND a.user_id = $2 AND ${IS_HELD}`,
);
/** Holders by each role, and by each thing, are read in order and by index, a page of each. */
const HOLDERS = prepared(`SELECT user_id FROM (
     SELECT h.user_id FROM unnest($2::text[]) r (id) CROSS JOIN LATERAL (
       SELECT DISTINCT mr.user_id FROM member_roles mr
       WHERE mr.tenant_id = $1 AND mr.role_id = r.id AND mr.user_id > $4 AND ${notEnded('mr')} ORDER BY mr.user_id LIMIT $5) h
     UNION SELECT h.user_id FROM unnest($3::text[]) t (thing) CROSS JOIN LATERAL (
       SELECT DISTINCT a.user_id FROM role_assignments a
       WHERE a.tenant_id = $1 AND a.thing = t.thing AND a.role_id = ANY($2::text[]) AND a.user_id > $4 AND ${IS_HELD}
       ORDER BY a.user_id LIMIT $5) h) found
   ORDER BY user_id LIMIT $5`);
const INSERT =
  prepared(`INSERT INTO role_assignments (tenant_id, id, user_id, role_id, thing, until, notice_at, created_by)
   VALUES ($1, $2, $3, $4, $5, $6::timestamptz, ${nextNotice('$6::timestamptz')}, $7)`);

const REPLACE_RULED =
  prepared(`WITH wanted AS (SELECT * FROM unnest($3::text[], $4::text[], $5::text[], $6::text[]) w (id, user_id, role_id, thing)),
     removed AS (DELETE FROM role_assignments a WHERE a.tenant_id = $1 AND a.user_id = ANY($2::text[]) AND a.source = 'directory'
       AND NOT EXISTS (SELECT 1 FROM wanted w WHERE w.user_id = a.user_id AND w.role_id = a.role_id AND w.thing = a.thing)
       RETURNING a.id, a.user_id),
     added AS (INSERT INTO role_assignments (tenant_id, id, user_id, role_id, thing, created_by, source)
       SELECT m.tenant_id, w.id, w.user_id, w.role_id, w.thing, $7, 'directory' FROM wanted w
         JOIN members m ON m.tenant_id = $1 AND m.user_id = w.user_id
       WHERE NOT EXISTS (SELECT 1 FROM role_assignments a WHERE a.tenant_id = $1 AND a.user_id = w.user_id
         AND a.role_id = w.role_id AND a.thing = w.thing AND a.source = 'directory')
       RETURNING id, user_id)
   SELECT id, user_id AS "userId", false AS "isNew" FROM removed UNION ALL SELECT id, user_id, true FROM added`);

/** Roles of members on things. */
@Injectable()
export class AssignmentRepository {
  constructor(private readonly tenants: TenantDatabase) {}

  /** @returns the id of the new assignment */
  async insert(
    tenantId: TenantId,
    row: Pick<AssignmentEntity, 'userId' | 'roleId' | 'thing' | 'until' | 'createdBy'>,
  ): Promise<string> {
    const id = newId();
    const { userId, roleId, thing, until, createdBy } = row;
    await this.tenants.rows(tenantId, INSERT, [id, userId, roleId, thing, until, createdBy]);
    return id;
  }

  find(tenantId: TenantId, userId: UserId, id: string): Promise<Assignment | null> {
    return this.tenants.row(
      tenantId,
      `SELECT ${COLUMNS} FROM ${WITH_ROLE} WHERE a.tenant_id = $1 AND a.user_id = $2 AND a.id = $3 AND ${IS_HELD}`,
      [userId, id],
    );
  }

  /** Returns a page in order of id, and one row more if there is a next page. */
  list(tenantId: TenantId, { limit, after }: Page, filter: AssignmentFilter): Promise<Assignment[]> {
    const { userId, thing, things, roleId, endsBefore } = filter;
    const conditions = [
      ['a.id > ?', after],
      ['a.user_id = ?', userId],
      ['a.thing = ?', thing],
      ['a.thing = ANY(?)', things],
      ['a.role_id = ?', roleId],
      ['a.until < ?', endsBefore],
    ] as const;
    const given = conditions.filter(([, value]) => value !== undefined && value !== null);
    const where = given.map(([sql], n) => `AND ${sql.replace('?', `$${n + 2}`)}`).join(' ');
    return this.tenants.rows(
      tenantId,
      `SELECT ${COLUMNS} FROM ${WITH_ROLE} WHERE a.tenant_id = $1 ${where} AND ${IS_HELD} ORDER BY a.id LIMIT ${limit + 1}`,
      given.map(([, value]) => value),
    );
  }

  /**
   * Replaces the roles on things that rules of directories gave to members. Others stay.
   * @param wanted each once
   * @returns those that have begun or ended
   */
  replaceRuled(
    tenantId: TenantId,
    userIds: readonly UserId[],
    wanted: readonly RuledAssignment[],
    createdBy: UserId,
  ): Promise<ChangedAssignment[]> {
    return this.tenants.rows(tenantId, REPLACE_RULED, [
      userIds,
      wanted.map(() => newId()),
      wanted.map(({ userId }) => userId),
      wanted.map(({ roleId }) => roleId),
      wanted.map(({ thing }) => thing),
      createdBy,
    ]);
  }

  /** Makes the roles on things that rules gave to members roles that were given by hand. */
  async adoptRuled(tenantId: TenantId, userIds: readonly UserId[]): Promise<void> {
    await this.tenants.rows(
      tenantId,
      "UPDATE role_assignments SET source = 'manual' WHERE tenant_id = $1 AND user_id = ANY($2) AND source = 'directory'",
      [userIds],
    );
  }

  /** Counts those of a member, ended ones included. */
  countOf(tenantId: TenantId, userId: UserId): Promise<number> {
    return this.tenants.of(AssignmentEntity).count(tenantId, { userId });
  }

  async delete(tenantId: TenantId, id: string): Promise<void> {
    await this.tenants.of(AssignmentEntity).delete(tenantId, { id });
  }

  /**
   * Returns the roles that a member holds on things now.
   * @param lock keeps them until the open transaction ends
   */
  findRolesOn(
    tenantId: TenantId,
    userId: UserId,
    things: readonly string[],
    lock: boolean,
  ): Promise<{ readonly thing: string; readonly roleId: string }[]> {
    const sql = lock ? prepared(`${ROLES_ON_THINGS} FOR SHARE OF a`) : ROLES_ON_THINGS;
    return this.tenants.rows(tenantId, sql, [userId, things]);
  }

  /** Returns the things on which a member holds one of these roles now, in their order. */
  findThingsOf(tenantId: TenantId, userId: UserId, roleIds: readonly string[]): Promise<string[]> {
    return this.tenants.values(tenantId, THINGS_OF_ROLES, [userId, roleIds]);
  }

  /** Returns the ids of the roles that a member holds on things now. */
  findRolesOnAnything(tenantId: TenantId, userId: UserId): Promise<string[]> {
    return this.tenants.values(tenantId, ROLES_ON_ANYTHING, [userId]);
  }

  /** Lists who has one of these roles, in the whole tenant or on one of these things, by id. */
  findHolders(
    tenantId: TenantId,
    roleIds: readonly string[],
    things: readonly string[],
    { limit, after }: { readonly limit: number; readonly after: string | null },
  ): Promise<UserId[]> {
    return this.tenants.values(tenantId, HOLDERS, [roleIds, things, after ?? '', limit]);
  }
}
