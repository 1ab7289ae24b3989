import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '../../kernel/index.js';
import { MAX_COUNTED } from '../../platform/api/index.js';
import { prepared, TenantDatabase } from '../../platform/database/index.js';
import type { DirectoryGroupEntity } from '../records/record.entity.js';
import type { DirectoryScope } from '../records/record-rules.js';
import { foldName } from '../scim/attributes.js';
import { DirectoryRuleEntity } from './directory-rule.entity.js';

/** A rule with the keys of its roles, without roles that were deleted. */
export interface NamedRule extends Pick<DirectoryRuleEntity, 'groupName' | 'groupId' | 'things'> {
  readonly roles: string[];
}

/** What a rule would do now. */
export interface RulePreview {
  /** As the rule names it. */
  readonly group: string;
  /** Null while the directory has not sent the group. */
  readonly groupId: string | null;
  /** Number of members whom the group gives roles, at most {@link MAX_COUNTED}. */
  readonly members: number;
}

export interface RuleInput {
  readonly group: string;
  readonly roles: readonly string[];
  /** URIs of things; without, the whole organization. */
  readonly on?: readonly string[] | null;
}

/** What a rule gives the members of its group. */
export type RuleGifts = Pick<DirectoryRuleEntity, 'roleIds' | 'things'>;

/** Each part of the statement reads rules as they were before it. */
const ATTACH =
  prepared(`WITH attached AS (UPDATE directory_rules r SET group_id = g.id FROM directory_groups g
    WHERE r.tenant_id = $1 AND r.directory_id = $2 AND r.group_id IS NULL AND g.tenant_id = r.tenant_id
      AND g.directory_id = r.directory_id AND g.id = $3 AND g.display_name_key = r.group_name_key RETURNING 1)
  SELECT a.found AS "areNew", a.found OR EXISTS (SELECT 1 FROM directory_rules r
      WHERE r.tenant_id = $1 AND r.directory_id = $2 AND r.group_id = $3) AS "areAny"
  FROM (SELECT EXISTS (SELECT 1 FROM attached) AS found) a`);

/** Rules of a removed group wait for one of its last name. */
const DETACH = prepared(`UPDATE directory_rules SET group_id = NULL, group_name = $4, group_name_key = $5
  WHERE tenant_id = $1 AND directory_id = $2 AND group_id = $3 RETURNING 1`);

/** Rules that give roles to the members of a group. */
interface RulesOfGroup {
  readonly areAny: boolean;
  readonly areNew: boolean;
}

/** Returns the statement for the group of an id, or of a key, in directory $2 of tenant $1. */
const groupOf = (name: string, key: string): string =>
  `SELECT g.id FROM directory_groups g WHERE g.tenant_id = $1 AND g.directory_id = $2
     AND (g.id = ${name} OR g.display_name_key = ${key}) ORDER BY g.id <> ${name}, g.id LIMIT 1`;

/** Rules by which groups of directories give roles. */
@Injectable()
export class DirectoryRuleRepository {
  constructor(private readonly tenants: TenantDatabase) {}

  list(tenantId: TenantId, directoryId: string): Promise<NamedRule[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT COALESCE(g.attributes ->> 'displayName', r.group_name) AS "groupName", g.id AS "groupId",
         ARRAY(SELECT o.key FROM roles o WHERE o.tenant_id = r.tenant_id AND o.id = ANY(r.role_ids) ORDER BY o.key) AS roles, r.things
       FROM directory_rules r LEFT JOIN directory_groups g
         ON g.tenant_id = r.tenant_id AND g.directory_id = r.directory_id AND g.id = r.group_id
       WHERE r.tenant_id = $1 AND r.directory_id = $2 ORDER BY r.ordinal`,
      [directoryId],
    );
  }

  /** Returns the ids of the roles that rules give, each once. */
  findRoleIds(tenantId: TenantId, directoryId: string): Promise<string[]> {
    return this.tenants.values<string>(
      tenantId,
      `SELECT DISTINCT role_id AS id FROM directory_rules r CROSS JOIN unnest(r.role_ids) AS given (role_id)
       WHERE r.tenant_id = $1 AND r.directory_id = $2`,
      [directoryId],
    );
  }

  /** Returns which group each rule would apply to, and to how many members. */
  preview(tenantId: TenantId, directoryId: string, rules: readonly RuleInput[]): Promise<RulePreview[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT asked.name AS "group", g.id AS "groupId", (SELECT count(*)::int FROM (
           SELECT 1 FROM directory_group_members gm
             JOIN directory_users u ON u.tenant_id = gm.tenant_id AND u.directory_id = gm.directory_id AND u.id = gm.user_id
           WHERE gm.tenant_id = $1 AND gm.directory_id = $2 AND gm.group_id = g.id AND u.active AND u.account_id IS NOT NULL
           LIMIT ${MAX_COUNTED}) counted) AS members
       FROM unnest($3::text[], $4::text[]) WITH ORDINALITY asked (name, key, n)
         LEFT JOIN LATERAL (${groupOf('asked.name', 'asked.key')}) g ON true
       ORDER BY asked.n`,
      [directoryId, rules.map(({ group }) => group), rules.map(({ group }) => foldName(group))],
    );
  }

  async deleteAll(tenantId: TenantId, directoryId: string): Promise<void> {
    await this.tenants.of(DirectoryRuleEntity).delete(tenantId, { directoryId });
  }

  /** Inserts the rule at a place in their order. */
  async insert(
    tenantId: TenantId,
    directoryId: string,
    ordinal: number,
    group: string,
    { roleIds, things }: RuleGifts,
  ): Promise<void> {
    await this.tenants.rows(
      tenantId,
      `INSERT INTO directory_rules (tenant_id, directory_id, ordinal, group_name, group_name_key, group_id, role_ids, things)
       VALUES ($1, $2, $3, $4, $5, (${groupOf('$4', '$5')}), $6, $7)`,
      [directoryId, ordinal, group, foldName(group), roleIds, things],
    );
  }

  /** Returns the directories with rules that give a role. */
  findDirectoriesGiving(tenantId: TenantId, roleId: string): Promise<string[]> {
    return this.tenants.values<string>(
      tenantId,
      'SELECT DISTINCT directory_id AS id FROM directory_rules WHERE tenant_id = $1 AND $2 = ANY(role_ids)',
      [roleId],
    );
  }

  /** Returns the accounts of the members of groups that rules name. */
  findAccounts(tenantId: TenantId, directoryId: string): Promise<UserId[]> {
    return this.tenants.values<UserId>(
      tenantId,
      `SELECT DISTINCT u.account_id AS "userId" FROM directory_rules r
         JOIN directory_group_members gm ON gm.tenant_id = r.tenant_id AND gm.directory_id = r.directory_id AND gm.group_id = r.group_id
         JOIN directory_users u ON u.tenant_id = gm.tenant_id AND u.directory_id = gm.directory_id AND u.id = gm.user_id
       WHERE r.tenant_id = $1 AND r.directory_id = $2 AND u.account_id IS NOT NULL`,
      [directoryId],
    );
  }

  /**
   * Attaches rules that name a group to it, so that a later name keeps them.
   * @returns whether rules give roles to its members, and whether some of them do since now
   */
  async attach({ tenantId, directoryId }: DirectoryScope, groupId: string): Promise<RulesOfGroup> {
    const found = await this.tenants.row<RulesOfGroup>(tenantId, ATTACH, [directoryId, groupId]);
    if (!found) throw new Error('The statement returned no row.');
    return found;
  }

  /**
   * Lets rules wait for the name of a group that was removed: a directory that sends it again gives
   * it another id.
   * @returns whether rules gave roles to its members
   */
  async detach(
    { tenantId, directoryId }: DirectoryScope,
    { id, attributes, displayNameKey }: DirectoryGroupEntity,
  ): Promise<boolean> {
    const parameters = [directoryId, id, attributes['displayName'], displayNameKey];
    return (await this.tenants.rows(tenantId, DETACH, parameters)).length > 0;
  }
}
