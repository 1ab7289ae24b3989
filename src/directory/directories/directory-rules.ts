import { Injectable } from '@nestjs/common';
import { AuditTrail, LastOwnerError, type Role, RoleService } from '../../iam/index.js';
import type { LifecycleEvents, Principal, TenantId } from '../../kernel/index.js';
import { MAX_COUNTED } from '../../platform/api/index.js';
import { TenantDatabase } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import type { Message } from '../../platform/messages/index.js';
import { DirectoryMembers } from '../projection/directory-members.js';
import { foldName } from '../scim/attributes.js';
import { DirectoryTokens } from './directory-tokens.js';
import '../directory.messages.js';

/** A rule with the keys of its roles, without roles that were deleted. */
export interface NamedRule {
  readonly groupName: string;
  readonly groupId: string | null;
  readonly roles: string[];
}

/** What a rule would do now. */
export interface PreviewedRule {
  /** As the rule names it. */
  readonly group: string;
  /** Null while the directory has not sent the group. */
  readonly groupId: string | null;
  /** Number of members whom the group gives roles, at most {@link MAX_COUNTED}. */
  readonly members: number;
}

interface GivenRule {
  readonly group: string;
  readonly roles: readonly string[];
}

/** Manages the rules by which groups of a directory give roles. */
@Injectable()
export class DirectoryRules {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly roles: RoleService,
    private readonly members: DirectoryMembers,
    private readonly tokens: DirectoryTokens,
    private readonly audit: AuditTrail,
  ) {}

  list(tenantId: TenantId, directoryId: string): Promise<NamedRule[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT COALESCE(g.attributes ->> 'displayName', r.group_name) AS "groupName", g.id AS "groupId",
         ARRAY(SELECT o.key FROM roles o WHERE o.tenant_id = r.tenant_id AND o.id = ANY(r.role_ids) ORDER BY o.key) AS roles
       FROM directory_rules r LEFT JOIN directory_groups g
         ON g.tenant_id = r.tenant_id AND g.directory_id = r.directory_id AND g.id = r.group_id
       WHERE r.tenant_id = $1 AND r.directory_id = $2 ORDER BY r.ordinal`,
      [directoryId],
    );
  }

  /** Returns the ids of the roles that rules give, each once. */
  async findRoleIds(tenantId: TenantId, directoryId: string): Promise<string[]> {
    const rows = await this.tenants.rows<{ id: string }>(
      tenantId,
      `SELECT DISTINCT role_id AS id FROM directory_rules r CROSS JOIN unnest(r.role_ids) AS given (role_id)
       WHERE r.tenant_id = $1 AND r.directory_id = $2`,
      [directoryId],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Returns which group each rule would apply to, and to how many members.
   * @throws {AppError} validation-error on a group that has two rules
   */
  async preview(
    tenantId: TenantId,
    directoryId: string,
    rules: readonly GivenRule[],
  ): Promise<PreviewedRule[]> {
    requireDistinct(rules);
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

  /**
   * Replaces the rules, and gives members the roles of their groups. The caller must be able to
   * give each of the roles.
   * @throws {AppError} validation-error on `rules[n].roles[m]`, and on a group that has two rules;
   *   insufficient-user-authentication to give the role of owners; conflict if the organization
   *   would have no owner, or if the creator of a token could not give a role
   */
  async replace(
    tenantId: TenantId,
    caller: Principal,
    directoryId: string,
    rules: readonly GivenRule[],
  ): Promise<void> {
    requireDistinct(rules);
    const roleIds: string[][] = [];
    const given = new Set(await this.findRoleIds(tenantId, directoryId));
    const added = new Map<string, Role>();
    for (const [n, { roles }] of rules.entries()) {
      const keys = [...new Set(roles)];
      const found = await this.roles.requireGivableRoles(
        tenantId,
        caller,
        keys,
        (m) => `rules[${n}].roles[${m}]`,
      );
      roleIds.push(found.map(({ id }) => id));
      for (const role of found) if (!given.has(role.id)) added.set(role.id, role);
    }
    await this.roles.requireSignInToGive(caller, [...added.values()]);
    const refusal = await this.findRefusalOfTokens(tenantId, directoryId, [...added.keys()]);
    if (refusal) throw new AppError('conflict', { reason: refusal });
    const before = await this.members.accountsOfRules(tenantId, directoryId);
    const remove = 'DELETE FROM directory_rules WHERE tenant_id = $1 AND directory_id = $2';
    await this.tenants.rows(tenantId, remove, [directoryId]);
    for (const [n, { group }] of rules.entries())
      await this.tenants.rows(
        tenantId,
        `INSERT INTO directory_rules (tenant_id, directory_id, ordinal, group_name, group_name_key, group_id, role_ids)
         VALUES ($1, $2, $3, $4, $5, (${groupOf('$4', '$5')}), $6)`,
        [directoryId, n, group, foldName(group), roleIds[n]],
      );
    const after = await this.members.accountsOfRules(tenantId, directoryId);
    await this.members
      .syncRoles({ tenantId, directoryId }, [...new Set([...before, ...after])])
      .catch(throwConflict);
    await this.audit.record({
      actorId: caller.userId,
      tenantId,
      action: 'directory.rules-changed',
      subject: `iam/directories/${directoryId}`,
    });
  }

  /**
   * Requires that the creators of the tokens could give a role with further permissions, if rules
   * give it.
   * @throws {AppError} validation-error on `scopes` that names the tokens
   */
  @OnLifecycle('role.extended')
  async requireExtended({ tenantId, roleId }: LifecycleEvents['role.extended']): Promise<void> {
    const giving = await this.tenants.rows<{ id: string }>(
      tenantId,
      'SELECT DISTINCT directory_id AS id FROM directory_rules WHERE tenant_id = $1 AND $2 = ANY(role_ids)',
      [roleId],
    );
    for (const { id } of giving) {
      const refusal = await this.findRefusalOfTokens(tenantId, id, [roleId]);
      if (refusal) throw AppError.violation('scopes', refusal);
    }
  }

  /**
   * Finds the tokens whose creators could not give roles that the rules have not given so far: who
   * holds a token says who is in a group, and could else make themselves an owner.
   * @returns a refusal that names the tokens; null if there are none
   */
  private async findRefusalOfTokens(
    tenantId: TenantId,
    directoryId: string,
    roleIds: readonly string[],
  ): Promise<Message | null> {
    if (roleIds.length === 0) return null;
    const names: string[] = [];
    for (const { name, createdBy } of await this.tokens.listMade(tenantId, directoryId))
      if (createdBy === null || !(await this.roles.canGive(tenantId, createdBy, roleIds))) names.push(name);
    if (names.length === 0) return null;
    return { id: 'directory.tokens-exceed', values: { tokens: names.join(', ') } };
  }
}

/** Returns the statement for the group of an id, or of a key, in directory $2 of tenant $1. */
const groupOf = (name: string, key: string): string =>
  `SELECT g.id FROM directory_groups g WHERE g.tenant_id = $1 AND g.directory_id = $2
     AND (g.id = ${name} OR g.display_name_key = ${key}) ORDER BY g.id <> ${name}, g.id LIMIT 1`;

function throwConflict(error: unknown): never {
  if (!(error instanceof LastOwnerError)) throw error;
  throw new AppError('conflict', {
    detail: 'The organization would have no owner. Make another member an owner first.',
  });
}

function requireDistinct(rules: readonly GivenRule[]): void {
  const names = rules.map(({ group }) => foldName(group));
  const twice = names.findIndex((name, n) => names.indexOf(name) < n);
  if (twice >= 0) throw AppError.violation(`rules[${twice}].group`, 'has a rule already');
}
