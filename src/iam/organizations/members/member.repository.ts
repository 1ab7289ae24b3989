import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  findAnyPart,
  prepared,
  type Selected,
  TenantDatabase,
} from '../../../platform/database/index.js';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { AccountEntity } from '../../accounts/account.entity.js';
import { PERSON_NAME } from '../../accounts/person-name.js';
import { MemberEntity, type Membership, type MemberSource, type MemberStatus } from './member.entity.js';
import { matching, type MemberFilter, type MemberPage, SORTED_BY } from './member-list.js';
import { MemberRoleRepository } from './member-role.repository.js';
import {
  ACTIVE_HOLDERS,
  ALL_ROLE_IDS_OF_M,
  holdsOn,
  IS_ACTIVE,
  IS_LAST_OWNER,
  IS_ON_PARTNERSHIP_OF_M,
  LASTING_HOLDERS,
  nextNotice,
  notEnded,
  ROLE_ENDS_OF_M,
  ROLE_IDS_OF_M,
  ROLE_KEYS_OF_M,
} from './member-sql.js';
import { ADMIN, OWNER } from '../roles/role-scopes.js';

const MEMBERSHIP = {
  userId: true,
  joinedAt: true,
  status: true,
  source: true,
  lastActiveAt: true,
  until: true,
} as const;
const PERSON = { email: true, ...PERSON_NAME } as const;

export interface Member
  extends Selected<MemberEntity, typeof MEMBERSHIP>, Selected<AccountEntity, typeof PERSON> {
  readonly roles: string[];
  /** Ends of roles, as JSON spells times; roles without an end are left out. */
  readonly roleEnds: readonly { readonly key: string; readonly until: string }[];
}

/** A member as the policy judges them. */
export interface JudgedMember {
  readonly userId: UserId;
  readonly status: MemberStatus;
  readonly isOwner: boolean;
  readonly isLastOwner: boolean;
  readonly roleIds: readonly string[];
  /** Of their roles on things as well. */
  readonly allRoleIds: readonly string[];
  readonly isOnPartnership: boolean;
}

/** A member in a list, with the value by which it is sorted. */
export interface ListedMember extends Member {
  readonly sortKey: string;
}

/** An owner, with address and name. */
export interface NamedOwner extends Selected<AccountEntity, typeof PERSON> {
  readonly userId: UserId;
}

const MEMBER = `${columnsOf(MemberEntity, 'm', MEMBERSHIP)}, ${columnsOf(AccountEntity, 'a', PERSON)}, ${ROLE_KEYS_OF_M} AS roles, ${ROLE_ENDS_OF_M} AS "roleEnds"`;

/** What a list shows and is sorted by. */
const MATCHED_COLUMNS =
  'tenant_id, user_id, joined_at, name_key, address_key, status, source, last_active_at, until';

/** Members of tenants, with the people that they are. */
@Injectable()
export class MemberRepository {
  constructor(
    private readonly database: TenantDatabase,
    private readonly roles: MemberRoleRepository,
  ) {}

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
    if (inserted.length > 0) await this.roles.add(tenantId, userId, roleIds, source);
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

  /** Returns whether the tenant has an active owner whose access does not end. */
  async hasOwner(tenantId: TenantId): Promise<boolean> {
    const sql = `SELECT 1 FROM ${LASTING_HOLDERS} WHERE r.tenant_id = $1 AND r.key = '${OWNER}' LIMIT 1`;
    return (await this.database.row(tenantId, sql)) !== null;
  }

  /** Returns whether the tenant has an owner, active or suspended. */
  async hasAnyOwner(tenantId: TenantId): Promise<boolean> {
    const sql = `SELECT 1 FROM roles r JOIN member_roles mr ON mr.tenant_id = r.tenant_id AND mr.role_id = r.id
      WHERE r.tenant_id = $1 AND r.key = '${OWNER}' LIMIT 1`;
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
   * Sets the end of a membership.
   * @param until null for none
   * @returns false if it ends then already, or the person is no member
   */
  async setEnd(tenantId: TenantId, userId: UserId, until: Date | null): Promise<boolean> {
    const changed = await this.database.rows(
      tenantId,
      `UPDATE members SET until = $3, notice_at = ${nextNotice('$3::timestamptz')}
       WHERE tenant_id = $1 AND user_id = $2 AND until IS DISTINCT FROM $3 RETURNING 1`,
      [userId, until],
    );
    return changed.length > 0;
  }

  /** Returns which people are members with access now, without those with suspended accounts. */
  findActiveIds(tenantId: TenantId, userIds: readonly string[]): Promise<UserId[]> {
    return this.database.values(
      tenantId,
      prepared(`SELECT m.user_id FROM members m JOIN accounts a ON a.id = m.user_id
       WHERE m.tenant_id = $1 AND m.user_id = ANY($2::text[]) AND ${IS_ACTIVE} AND a.suspended_at IS NULL`),
      [userIds],
    );
  }

  /** Returns whether the person is a member whose end has passed. */
  async isEnded(tenantId: TenantId, userId: UserId): Promise<boolean> {
    const sql = `SELECT 1 FROM members m WHERE m.tenant_id = $1 AND m.user_id = $2 AND NOT ${notEnded('m')}`;
    return (await this.database.row(tenantId, sql, [userId])) !== null;
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

  /**
   * Returns when sessions of these members last renewed a token for the tenant, as their refresh
   * grants note it. Members without such a session are left out.
   */
  async findLastActive(tenantId: TenantId, userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, Date>> {
    if (userIds.length === 0) return new Map();
    const rows = await this.database.rows<{ userId: UserId; lastUsedAt: Date | null }>(
      tenantId,
      `SELECT asked.id AS "userId", active.last_used_at AS "lastUsedAt" FROM unnest($2::text[]) asked (id)
       CROSS JOIN LATERAL (SELECT max(g.last_used_at) AS last_used_at FROM grants g
         WHERE g.account_id = asked.id AND g.tenant_id = $1 AND g.ended_at IS NULL) active`,
      [userIds],
    );
    return new Map(rows.flatMap(({ userId, lastUsedAt }) => (lastUsedAt ? [[userId, lastUsedAt]] : [])));
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
    const { within: conditions, match, parameters } = matching(filter);
    const { column, key, value } = SORTED_BY[page.sort];
    const [direction, beyond] = page.descending ? ['DESC', '<'] : ['ASC', '>'];
    const bind = (parameter: unknown): string => `$${parameters.push(parameter) + 1}`;
    const after = page.after
      ? `AND (${column}, user_id) ${beyond} (${value(bind(page.after.key))}, ${bind(page.after.id)})`
      : '';
    const within = `${conditions} ${after}`;
    const order = `${column} ${direction}, user_id ${direction}`;
    const limit = bind(page.limit + 1);
    const found =
      match === null
        ? `SELECT * FROM members WHERE ${within}`
        : findAnyPart({ table: 'members', columns: MATCHED_COLUMNS, within, match, order, limit });
    return this.database.rows(
      tenantId,
      `SELECT ${MEMBER}, ${key} AS "sortKey" FROM (SELECT * FROM (${found}) found ORDER BY ${order} LIMIT ${limit}) m
       JOIN accounts a ON a.id = m.user_id ORDER BY m.${column} ${direction}, m.user_id ${direction}`,
      parameters,
    );
  }

  /** Counts the members that match, up to `max` and one more. */
  async count(tenantId: TenantId, filter: MemberFilter, max: number): Promise<number> {
    const { within, match, parameters } = matching(filter);
    const row = await this.database.row<{ count: number }>(
      tenantId,
      `SELECT count(*)::int AS count FROM (SELECT 1 FROM members WHERE ${within} AND ${match ?? 'true'} LIMIT ${max + 1}) m`,
      parameters,
    );
    return row?.count ?? 0;
  }

  find(tenantId: TenantId, userId: UserId): Promise<Member | null> {
    return this.database.row(
      tenantId,
      `SELECT ${MEMBER} FROM members m JOIN accounts a ON a.id = m.user_id
       WHERE m.tenant_id = $1 AND m.user_id = $2 AND ${notEnded('m')}`,
      [userId],
    );
  }

  /** Returns whether a member holds a role on one of these things. */
  async sharesThing(tenantId: TenantId, userId: UserId, things: readonly string[]): Promise<boolean> {
    const sql = `SELECT 1 FROM members m WHERE m.tenant_id = $1 AND m.user_id = $2 AND ${IS_ACTIVE} AND ${holdsOn('m', '$3')}`;
    return (await this.database.row(tenantId, sql, [userId, things])) !== null;
  }

  async hasEmail(tenantId: TenantId, emailKey: string): Promise<boolean> {
    const row = await this.database.row(
      tenantId,
      `SELECT 1 FROM accounts a JOIN members m ON m.user_id = a.id
       WHERE m.tenant_id = $1 AND a.email_key = $2 AND ${notEnded('m')}`,
      [emailKey],
    );
    return row !== null;
  }

  findJudged(tenantId: TenantId, userIds: readonly string[], lock: boolean): Promise<JudgedMember[]> {
    return this.database.rows(
      tenantId,
      `SELECT m.user_id AS "userId", m.status, '${OWNER}' = ANY(${ROLE_KEYS_OF_M}) AS "isOwner",
         ${IS_LAST_OWNER} AS "isLastOwner", ${ROLE_IDS_OF_M}, ${ALL_ROLE_IDS_OF_M},
         ${IS_ON_PARTNERSHIP_OF_M}
       FROM members m WHERE m.tenant_id = $1 AND m.user_id = ANY($2) AND ${notEnded('m')} ${lock ? 'FOR UPDATE OF m' : ''}`,
      [userIds],
    );
  }

  /** Returns the people who are active members, in order of id. */
  listActiveIds(tenantId: TenantId, limit: number): Promise<UserId[]> {
    const sql = `SELECT m.user_id FROM members m WHERE m.tenant_id = $1 AND ${IS_ACTIVE} ORDER BY m.user_id LIMIT $2`;
    return this.database.values(tenantId, sql, [limit]);
  }

  /** Returns active owners with their names, in order of id. */
  listOwners(tenantId: TenantId, limit: number): Promise<NamedOwner[]> {
    return this.database.rows(
      tenantId,
      `SELECT DISTINCT ON (mr.user_id) a.id AS "userId", ${columnsOf(AccountEntity, 'a', PERSON)} FROM ${ACTIVE_HOLDERS}
         JOIN accounts a ON a.id = mr.user_id
       WHERE r.tenant_id = $1 AND r.key = '${OWNER}' ORDER BY mr.user_id LIMIT $2`,
      [limit],
    );
  }

  /**
   * Returns the only active owners of tenants whose access does not end, without tenants that have
   * none or several.
   */
  async findSoleOwners(tenantIds: readonly string[]): Promise<ReadonlyMap<string, UserId>> {
    const owners = await this.database.rowsOfEach<{ tenantId: string; userId: UserId }>(
      tenantIds,
      prepared(`SELECT asked.tenant_id AS "tenantId", owners.ids[1] AS "userId" FROM unnest($1::text[]) asked (tenant_id)
       CROSS JOIN LATERAL (SELECT ARRAY(
         SELECT DISTINCT mr.user_id FROM ${LASTING_HOLDERS}
         WHERE r.tenant_id = asked.tenant_id AND r.key = '${OWNER}' LIMIT 2) AS ids) owners
       WHERE cardinality(owners.ids) = 1`),
    );
    return new Map(owners.map(({ tenantId, userId }) => [tenantId, userId]));
  }

  /**
   * Returns the longest-serving lasting admin of each tenant apart from one person; one whose
   * account is suspended only if there is no other. Tenants without an admin are left out.
   */
  findSeniors(tenantIds: readonly TenantId[], except: UserId): Promise<Membership[]> {
    return this.database.rowsOfEach(
      tenantIds,
      `SELECT asked.tenant_id AS "tenantId", senior.user_id AS "userId" FROM unnest($1::text[]) asked (tenant_id) CROSS JOIN LATERAL (
         SELECT m.user_id FROM ${LASTING_HOLDERS} JOIN accounts a ON a.id = m.user_id
         WHERE r.tenant_id = asked.tenant_id AND r.key = '${ADMIN}' AND m.user_id <> $2
         ORDER BY a.suspended_at IS NOT NULL, m.joined_at, m.user_id LIMIT 1) senior`,
      [except],
    );
  }
}
