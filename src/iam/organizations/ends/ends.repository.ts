import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import type { Membership } from '../members/member.entity.js';
import { nextNotice } from '../members/member-sql.js';

/** A role of a member whose end has passed. */
export interface EndedRole extends Membership {
  readonly roleId: string;
  /** Assignment that gave it; null for a role in the whole organization. */
  readonly assignmentId: string | null;
}

/** Access that ends soon, with what its notice says. */
export interface EndingAccess extends Membership {
  readonly until: Date;
  /** Role that ends; null for the membership. */
  readonly roleId: string | null;
  readonly roleName: string | null;
  /** Assignment that ends; null for access to the whole organization. */
  readonly assignmentId: string | null;
  readonly organization: string;
  readonly email: string | null;
  readonly locale: string | null;
}

/** Table of access that ends, and the columns that make a row unique. */
const KINDS = {
  memberships: { table: 'members', key: 'tenant_id, user_id', roleId: 'NULL', assignmentId: 'NULL' },
  roles: {
    table: 'member_roles',
    key: 'tenant_id, user_id, role_id, source',
    roleId: 'x.role_id',
    assignmentId: 'NULL',
  },
  assignments: { table: 'role_assignments', key: 'tenant_id, id', roleId: 'x.role_id', assignmentId: 'x.id' },
} as const;

export type KindOfAccess = keyof typeof KINDS;
export const KINDS_OF_ACCESS = Object.keys(KINDS) as readonly KindOfAccess[];

/** Finds access that has ended or ends soon, of all organizations. */
@Injectable()
export class EndsRepository {
  constructor(private readonly database: Database) {}

  /** Lists memberships whose end has passed, the longest ago first. */
  listEndedMemberships(limit: number): Promise<Membership[]> {
    return this.database.rows(
      `SELECT tenant_id AS "tenantId", user_id AS "userId" FROM members
       WHERE until IS NOT NULL AND until <= now() ORDER BY until LIMIT $1`,
      [limit],
    );
  }

  /** Removes some roles or assignments whose end has passed. @returns the removed ones */
  removeEnded(kind: 'roles' | 'assignments', limit: number): Promise<EndedRole[]> {
    const { table, key, roleId, assignmentId } = KINDS[kind];
    return this.database.rows(
      `DELETE FROM ${table} x WHERE (${key}) IN (
         SELECT ${key} FROM ${table} WHERE until IS NOT NULL AND until <= now() ORDER BY until LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING x.tenant_id AS "tenantId", x.user_id AS "userId", ${roleId} AS "roleId", ${assignmentId} AS "assignmentId"`,
      [limit],
    );
  }

  /** Takes some whose notice is due, each for its next notice. */
  takeDueNotices(kind: KindOfAccess, limit: number): Promise<EndingAccess[]> {
    const { table, key, roleId, assignmentId } = KINDS[kind];
    return this.database.rows(
      `WITH taken AS (
         UPDATE ${table} x SET notice_at = ${nextNotice('x.until')}
         WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE notice_at IS NOT NULL AND notice_at <= now()
           ORDER BY notice_at LIMIT $1 FOR UPDATE SKIP LOCKED)
         RETURNING x.tenant_id, x.user_id, x.until, ${roleId}::text AS role_id, ${assignmentId}::text AS assignment_id)
       SELECT x.tenant_id AS "tenantId", x.user_id AS "userId", x.until, x.role_id AS "roleId", r.name AS "roleName",
         x.assignment_id AS "assignmentId", t.name AS organization, a.email, a.locale
       FROM taken x JOIN tenants t ON t.id = x.tenant_id JOIN accounts a ON a.id = x.user_id
         LEFT JOIN roles r ON r.tenant_id = x.tenant_id AND r.id = x.role_id
       WHERE x.until > now()`,
      [limit],
    );
  }
}
