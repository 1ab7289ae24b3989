import { Injectable } from '@nestjs/common';
import { columnsOf, prepared, type Selected, TenantDatabase } from '../../../platform/database/index.js';
import { type Orders, type SortedPage, TEXT_KEY, TIME_KEY } from '../../../platform/api/index.js';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { AccountEntity } from '../../accounts/account.entity.js';
import { MemberEntity } from './member.entity.js';
import type { MemberSource, MemberStatus } from './member-source.js';
import { ADMIN, OWNER } from '../roles/role-scopes.js';

const MEMBERSHIP = { userId: true, joinedAt: true, status: true, source: true, lastActiveAt: true } as const;
const PERSON = { email: true, firstName: true } as const;

export interface Member
  extends Selected<MemberEntity, typeof MEMBERSHIP>, Selected<AccountEntity, typeof PERSON> {
  readonly roles: string[];
}

/** A person in a tenant. */
export type Membership = Pick<MemberEntity, 'tenantId' | 'userId'>;

/** A member as the policy judges them. */
export interface JudgedMember {
  readonly userId: UserId;
  readonly status: MemberStatus;
  readonly isOwner: boolean;
  readonly isLastOwner: boolean;
  readonly roleIds: readonly string[];
}

/** The roles that a member is to have of a source. */
export interface RolesOfMember {
  readonly userId: UserId;
  readonly roleIds: readonly string[];
}

/** Orders of the list. */
export const MEMBER_ORDERS = {
  keys: { name: TEXT_KEY, email: TEXT_KEY, joinedAt: TIME_KEY },
  byDefault: 'name',
} as const satisfies Orders;

export type MemberPage = SortedPage<keyof typeof MEMBER_ORDERS.keys>;

/** Conditions of the list. */
export interface MemberFilter {
  /** Beginning of the name or the address. */
  readonly query: string | null;
  readonly roleId: string | null;
}

/** A member in a list, with the value by which it is sorted. */
export interface ListedMember extends Member {
  readonly sortKey: string;
}

/** For each order: the column, its value in a cursor, and that value as a parameter. */
const ORDERS: Readonly<
  Record<MemberPage['sort'], { column: string; key: string; value: (parameter: string) => string }>
> = {
  name: { column: 'name_key', key: 'm.name_key', value: (parameter) => parameter },
  email: { column: 'address_key', key: 'm.address_key', value: (parameter) => parameter },
  joinedAt: {
    column: 'joined_at',
    key: '(extract(epoch FROM m.joined_at) * 1000000)::bigint::text',
    value: (parameter) => `to_timestamp(0) + ${parameter}::bigint * interval '1 microsecond'`,
  },
};

/** The keys of the roles of a member `m`, in a statement of this module. */
export const ROLE_KEYS = `ARRAY(
  SELECT DISTINCT r.key FROM member_roles mr JOIN roles r ON r.tenant_id = mr.tenant_id AND r.id = mr.role_id
  WHERE mr.tenant_id = m.tenant_id AND mr.user_id = m.user_id ORDER BY r.key)`;

const MEMBER = `${columnsOf(MemberEntity, 'm', MEMBERSHIP)}, ${columnsOf(AccountEntity, 'a', PERSON)}, ${ROLE_KEYS} AS roles`;

/** Roles `r` with the active members `m` who hold them, once for each source `mr`. */
export const ACTIVE_HOLDERS = `roles r JOIN member_roles mr ON mr.tenant_id = r.tenant_id AND mr.role_id = r.id
  JOIN members m ON m.tenant_id = mr.tenant_id AND m.user_id = mr.user_id AND m.status = 'active'`;

/** Owners with access, other than the member itself. */
const OTHER_OWNERS = `SELECT 1 FROM member_roles o JOIN roles r ON r.tenant_id = o.tenant_id AND r.id = o.role_id
    JOIN members om ON om.tenant_id = o.tenant_id AND om.user_id = o.user_id AND om.status = 'active'
  WHERE o.tenant_id = m.tenant_id AND r.key = '${OWNER}' AND o.user_id <> m.user_id`;

/** Whether a member `m` is the only owner of their tenant. */
const IS_LAST_OWNER = `'${OWNER}' = ANY(${ROLE_KEYS}) AND NOT EXISTS (${OTHER_OWNERS})`;

const ROLE_IDS_OF_M = `ARRAY(SELECT DISTINCT role_id FROM member_roles mr WHERE mr.tenant_id = m.tenant_id AND mr.user_id = m.user_id) AS "roleIds"`;
const ROLE_IDS = prepared(
  `SELECT ${ROLE_IDS_OF_M} FROM members m WHERE m.tenant_id = $1 AND m.user_id = $2 AND m.status = 'active'`,
);
const ROLE_IDS_LOCKED = prepared(`${ROLE_IDS} FOR SHARE OF m`);
/**
 * SQL for statements of other modules: selects a row if the person is an active member, and locks
 * the membership until the end of the transaction.
 * @param tenantId parameter of the statement, such as `$2`; the same for `userId`
 */
export const heldMembership = (tenantId: string, userId: string): string =>
  `SELECT 1 FROM members m WHERE m.tenant_id = ${tenantId} AND m.user_id = ${userId} AND m.status = 'active' FOR SHARE`;
/** LIMIT makes the planner look up each member by key, whatever number of rows it estimates. */
const ROLE_IDS_OF_EACH =
  prepared(`SELECT asked.tenant_id AS "tenantId", asked.user_id AS "userId", found."roleIds", found."joinedAt"
   FROM unnest($1::text[], $2::text[]) asked (tenant_id, user_id) CROSS JOIN LATERAL (
     SELECT ${ROLE_IDS_OF_M}, m.joined_at AS "joinedAt" FROM members m WHERE m.tenant_id = asked.tenant_id AND m.user_id = asked.user_id AND m.status = 'active' LIMIT 1) found`);

/** Compares with the beginning of a text; U+10FFFF is the last of all characters. */
const beginsWith = (column: string, parameter: string): string =>
  `(${column} >= search_key(${parameter}) AND ${column} < search_key(${parameter}) || chr(1114111))`;

/** Returns the rows that match, as FROM and WHERE, with their parameters from $2 on. */
function matching({ query, roleId }: MemberFilter): { from: string; parameters: unknown[] } {
  const parameters: unknown[] = [];
  const bind = (parameter: unknown): string => `$${parameters.push(parameter) + 1}`;
  const role =
    roleId === null
      ? ''
      : `AND EXISTS (SELECT 1 FROM member_roles mr WHERE mr.tenant_id = m.tenant_id AND mr.user_id = m.user_id AND mr.role_id = ${bind(roleId)})`;
  const found =
    query === null
      ? ''
      : ((text) => `AND (${beginsWith('m.name_key', text)} OR ${beginsWith('m.address_key', text)})`)(
          bind(query),
        );
  return { from: `FROM members m WHERE m.tenant_id = $1 ${role} ${found}`, parameters };
}

@Injectable()
export class MemberRepository {
  constructor(private readonly database: TenantDatabase) {}

  /** @returns false if the person is a member already */
  async insert(
    tenantId: TenantId,
    userId: UserId,
    roleIds: readonly string[],
    source: MemberSource,
  ): Promise<boolean> {
    const inserted = await this.database.rows(
      tenantId,
      'INSERT INTO members (tenant_id, user_id, source) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1',
      [userId, source],
    );
    if (inserted.length > 0) await this.addRoles(tenantId, userId, roleIds, source);
    return inserted.length > 0;
  }

  /**
   * Adds a person who is no member of the tenant, with the role of a key.
   * @returns whether the tenant has such a role
   */
  async insertWithRole(
    tenantId: TenantId,
    userId: UserId,
    roleKey: string,
    source: MemberSource,
  ): Promise<boolean> {
    const given = await this.database.rows(
      tenantId,
      prepared(`WITH added AS (INSERT INTO members (tenant_id, user_id, source) VALUES ($1, $2, $4) RETURNING user_id)
       INSERT INTO member_roles (tenant_id, user_id, role_id, source) SELECT o.tenant_id, a.user_id, o.id, $4
       FROM added a JOIN roles o ON o.tenant_id = $1 AND o.key = $3 RETURNING 1`),
      [userId, roleKey, source],
    );
    return given.length > 0;
  }

  async addRoles(
    tenantId: TenantId,
    userId: UserId,
    roleIds: readonly string[],
    source: MemberSource,
  ): Promise<void> {
    await this.database.rows(
      tenantId,
      `INSERT INTO member_roles (tenant_id, user_id, role_id, source) SELECT $1, $2, unnest($3::text[]), $4 ON CONFLICT DO NOTHING`,
      [userId, roleIds, source],
    );
  }

  /** Returns the ids of the roles that the source gave. */
  async findRoleIdsOfSource(tenantId: TenantId, userId: UserId, source: MemberSource): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(
      tenantId,
      'SELECT role_id AS id FROM member_roles WHERE tenant_id = $1 AND user_id = $2 AND source = $3 ORDER BY role_id',
      [userId, source],
    );
    return rows.map(({ id }) => id);
  }

  /** Replaces the roles that the source gave. Roles of other sources stay. */
  async replaceRoles(
    tenantId: TenantId,
    userId: UserId,
    roleIds: readonly string[],
    source: MemberSource,
  ): Promise<void> {
    await this.database.rows(
      tenantId,
      'DELETE FROM member_roles WHERE tenant_id = $1 AND user_id = $2 AND role_id <> ALL($3) AND source = $4',
      [userId, roleIds, source],
    );
    await this.addRoles(tenantId, userId, roleIds, source);
  }

  /**
   * Replaces the roles that the source gave to several members. Roles of other sources stay.
   * @returns the members whose roles have changed
   */
  async replaceRolesOfSource(
    tenantId: TenantId,
    desired: readonly RolesOfMember[],
    source: MemberSource,
  ): Promise<UserId[]> {
    const pairs = desired.flatMap(({ userId, roleIds }) => roleIds.map((roleId) => ({ userId, roleId })));
    const changed = await this.database.rows<{ userId: UserId }>(
      tenantId,
      `WITH wanted AS (SELECT * FROM unnest($3::text[], $4::text[]) w (user_id, role_id)),
         removed AS (DELETE FROM member_roles mr WHERE mr.tenant_id = $1 AND mr.user_id = ANY($2) AND mr.source = $5
           AND NOT EXISTS (SELECT 1 FROM wanted w WHERE w.user_id = mr.user_id AND w.role_id = mr.role_id) RETURNING mr.user_id),
         added AS (INSERT INTO member_roles (tenant_id, user_id, role_id, source)
           SELECT m.tenant_id, w.user_id, w.role_id, $5 FROM wanted w JOIN members m ON m.tenant_id = $1 AND m.user_id = w.user_id
           ON CONFLICT DO NOTHING RETURNING user_id)
       SELECT user_id AS "userId" FROM removed UNION SELECT user_id FROM added`,
      [
        desired.map(({ userId }) => userId),
        pairs.map(({ userId }) => userId),
        pairs.map(({ roleId }) => roleId),
        source,
      ],
    );
    return changed.map(({ userId }) => userId);
  }

  /** Makes the roles that a source gave to members roles that were given by hand. */
  async adoptRoles(tenantId: TenantId, userIds: readonly UserId[], source: MemberSource): Promise<void> {
    await this.database.rows(
      tenantId,
      `WITH given AS (DELETE FROM member_roles WHERE tenant_id = $1 AND user_id = ANY($2) AND source = $3 RETURNING user_id, role_id)
       INSERT INTO member_roles (tenant_id, user_id, role_id) SELECT $1, user_id, role_id FROM given ON CONFLICT DO NOTHING`,
      [userIds, source],
    );
  }

  /** Returns whether the tenant has an active owner. */
  async hasOwner(tenantId: TenantId): Promise<boolean> {
    const sql = `SELECT 1 FROM ${ACTIVE_HOLDERS} WHERE r.tenant_id = $1 AND r.key = '${OWNER}' LIMIT 1`;
    return (await this.database.row(tenantId, sql)) !== null;
  }

  /** @returns false if the member has the status already, or is no member */
  async setStatus(tenantId: TenantId, userId: UserId, status: MemberStatus): Promise<boolean> {
    const changed = await this.database.rows(
      tenantId,
      'UPDATE members SET status = $3 WHERE tenant_id = $1 AND user_id = $2 AND status <> $3 RETURNING 1',
      [userId, status],
    );
    return changed.length > 0;
  }

  /**
   * Notes that the member works in the tenant, at most once in ten minutes. Skips a membership that
   * another transaction has locked: the next refresh notes it.
   */
  async noteActivity(tenantId: TenantId, userId: UserId): Promise<void> {
    await this.database.rows(
      tenantId,
      `WITH due AS (
         SELECT user_id FROM members WHERE tenant_id = $1 AND user_id = $2
           AND (last_active_at IS NULL OR last_active_at < now() - interval '10 minutes') FOR NO KEY UPDATE SKIP LOCKED)
       UPDATE members m SET last_active_at = now() FROM due WHERE m.tenant_id = $1 AND m.user_id = due.user_id`,
      [userId],
    );
  }

  /** Gives each the role of an owner, besides their other roles. */
  async makeOwners(memberships: readonly Membership[]): Promise<void> {
    await this.database.rowsOfEach(
      memberships.map(({ tenantId }) => tenantId),
      `INSERT INTO member_roles (tenant_id, user_id, role_id)
       SELECT asked.tenant_id, asked.user_id, r.id FROM unnest($1::text[], $2::text[]) asked (tenant_id, user_id)
         JOIN roles r ON r.tenant_id = asked.tenant_id AND r.key = '${OWNER}' ON CONFLICT DO NOTHING`,
      [memberships.map(({ userId }) => userId)],
    );
  }

  /** Ends the memberships of a person in tenants. */
  async remove(tenantIds: readonly TenantId[], userId: UserId): Promise<void> {
    await this.database.rowsOfEach(
      tenantIds,
      `DELETE FROM members m USING unnest($1::text[]) asked (tenant_id)
       WHERE m.tenant_id = asked.tenant_id AND m.user_id = $2`,
      [userId],
    );
  }

  /** Returns a page, and one row more if there is a next page. */
  list(tenantId: TenantId, page: MemberPage, filter: MemberFilter): Promise<ListedMember[]> {
    const { from, parameters } = matching(filter);
    const { column, key, value } = ORDERS[page.sort];
    const [direction, beyond] = page.descending ? ['DESC', '<'] : ['ASC', '>'];
    const bind = (parameter: unknown): string => `$${parameters.push(parameter) + 1}`;
    const after = page.after
      ? `AND (m.${column}, m.user_id) ${beyond} (${value(bind(page.after.key))}, ${bind(page.after.id)})`
      : '';
    const order = `ORDER BY m.${column} ${direction}, m.user_id ${direction}`;
    return this.database.rows(
      tenantId,
      `SELECT ${MEMBER}, ${key} AS "sortKey"
       FROM (SELECT m.* ${from} ${after} ${order} LIMIT ${bind(page.limit + 1)}) m JOIN accounts a ON a.id = m.user_id ${order}`,
      parameters,
    );
  }

  /** Counts the members that match, up to `max` and one more. */
  async count(tenantId: TenantId, filter: MemberFilter, max: number): Promise<number> {
    const { from, parameters } = matching(filter);
    const row = await this.database.row<{ count: number }>(
      tenantId,
      `SELECT count(*)::int AS count FROM (SELECT 1 ${from} LIMIT ${max + 1}) m`,
      parameters,
    );
    return row?.count ?? 0;
  }

  find(tenantId: TenantId, userId: UserId): Promise<Member | null> {
    return this.database.row(
      tenantId,
      `SELECT ${MEMBER} FROM members m JOIN accounts a ON a.id = m.user_id WHERE m.tenant_id = $1 AND m.user_id = $2`,
      [userId],
    );
  }

  async hasEmail(tenantId: TenantId, emailKey: string): Promise<boolean> {
    const row = await this.database.row(
      tenantId,
      'SELECT 1 FROM accounts a JOIN members m ON m.user_id = a.id WHERE m.tenant_id = $1 AND a.email_key = $2',
      [emailKey],
    );
    return row !== null;
  }

  findJudged(tenantId: TenantId, userIds: readonly string[], lock: boolean): Promise<JudgedMember[]> {
    return this.database.rows(
      tenantId,
      `SELECT m.user_id AS "userId", m.status, '${OWNER}' = ANY(${ROLE_KEYS}) AS "isOwner",
         ${IS_LAST_OWNER} AS "isLastOwner", ${ROLE_IDS_OF_M}
       FROM members m WHERE m.tenant_id = $1 AND m.user_id = ANY($2) ${lock ? 'FOR UPDATE OF m' : ''}`,
      [userIds],
    );
  }

  /** Returns the people who are active members, in order of id. */
  async listActiveIds(tenantId: TenantId, limit: number): Promise<UserId[]> {
    const rows = await this.database.rows<{ userId: UserId }>(
      tenantId,
      `SELECT user_id AS "userId" FROM members WHERE tenant_id = $1 AND status = 'active' ORDER BY user_id LIMIT $2`,
      [limit],
    );
    return rows.map(({ userId }) => userId);
  }

  /** Returns active owners with their names, in order of id. */
  listOwners(tenantId: TenantId, limit: number): Promise<Pick<Member, 'userId' | 'email' | 'firstName'>[]> {
    return this.database.rows(
      tenantId,
      `SELECT DISTINCT ON (mr.user_id) a.id AS "userId", ${columnsOf(AccountEntity, 'a', PERSON)} FROM ${ACTIVE_HOLDERS}
         JOIN accounts a ON a.id = mr.user_id
       WHERE r.tenant_id = $1 AND r.key = '${OWNER}' ORDER BY mr.user_id LIMIT $2`,
      [limit],
    );
  }

  /** Returns the only active owner of the tenant; null if there are several. */
  async findSoleOwner(tenantId: TenantId): Promise<UserId | null> {
    return (await this.findSoleOwners([tenantId])).get(tenantId) ?? null;
  }

  /** Returns the only active owners of tenants, without tenants that have none or several. */
  async findSoleOwners(tenantIds: readonly string[]): Promise<ReadonlyMap<string, UserId>> {
    const owners = await this.database.rowsOfEach<{ tenantId: string; userId: UserId }>(
      tenantIds,
      prepared(`SELECT asked.tenant_id AS "tenantId", owners.ids[1] AS "userId" FROM unnest($1::text[]) asked (tenant_id)
       CROSS JOIN LATERAL (SELECT ARRAY(
         SELECT DISTINCT mr.user_id FROM ${ACTIVE_HOLDERS}
         WHERE r.tenant_id = asked.tenant_id AND r.key = '${OWNER}' LIMIT 2) AS ids) owners
       WHERE cardinality(owners.ids) = 1`),
    );
    return new Map(owners.map(({ tenantId, userId }) => [tenantId, userId]));
  }

  /**
   * Returns the ids of a member's roles; null if the person is no member, or a suspended one.
   * @param lock locks the membership, so that it does not end before the transaction
   */
  async findRoleIds(tenantId: TenantId, userId: UserId, lock: boolean): Promise<string[] | null> {
    const sql = lock ? ROLE_IDS_LOCKED : ROLE_IDS;
    return (await this.database.row<{ roleIds: string[] }>(tenantId, sql, [userId]))?.roleIds ?? null;
  }

  /**
   * Returns the ids of several members' roles, and when they joined, without persons who are no
   * members and without suspended members.
   */
  findRoleIdsOfEach(
    tenantIds: readonly string[],
    userIds: readonly string[],
  ): Promise<{ tenantId: string; userId: string; roleIds: string[]; joinedAt: Date }[]> {
    return this.database.rowsOfEach(tenantIds, ROLE_IDS_OF_EACH, [userIds]);
  }

  /**
   * Returns the longest-serving active admin of each tenant apart from one person; one whose
   * account is suspended only if there is no other. Tenants without an admin are left out.
   */
  findSeniors(tenantIds: readonly TenantId[], except: UserId): Promise<Membership[]> {
    return this.database.rowsOfEach(
      tenantIds,
      `SELECT asked.tenant_id AS "tenantId", senior.user_id AS "userId" FROM unnest($1::text[]) asked (tenant_id) CROSS JOIN LATERAL (
         SELECT m.user_id FROM ${ACTIVE_HOLDERS} JOIN accounts a ON a.id = m.user_id
         WHERE r.tenant_id = asked.tenant_id AND r.key = '${ADMIN}' AND m.user_id <> $2
         ORDER BY a.suspended_at IS NOT NULL, m.joined_at, m.user_id LIMIT 1) senior`,
      [except],
    );
  }
}
