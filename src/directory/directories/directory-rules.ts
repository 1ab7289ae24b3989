import { Injectable } from '@nestjs/common';
import {
  AssignmentService,
  AuditTrail,
  LastOwnerError,
  OWNER,
  type Role,
  RoleService,
} from '../../iam/index.js';
import type { LifecycleEvents, Principal, TenantId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import type { Message } from '../../platform/messages/index.js';
import { eventOf } from '../directory.events.js';
import { DirectoryMembers } from '../projection/directory-members.js';
import { foldName } from '../scim/attributes.js';
import {
  DirectoryRuleRepository,
  type RuleGifts,
  type RuleInput,
  type RulePreview,
} from './directory-rule.repository.js';
import { DirectoryTokenRepository } from './directory-token.repository.js';
import '../directory.messages.js';

/** Manages the rules by which groups of a directory give roles. */
@Injectable()
export class DirectoryRules {
  constructor(
    private readonly rules: DirectoryRuleRepository,
    private readonly roles: RoleService,
    private readonly assignments: AssignmentService,
    private readonly members: DirectoryMembers,
    private readonly tokens: DirectoryTokenRepository,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Returns which group each rule would apply to, and to how many members.
   * @throws {AppError} validation-error on a group that has two rules
   */
  async preview(
    tenantId: TenantId,
    directoryId: string,
    rules: readonly RuleInput[],
  ): Promise<RulePreview[]> {
    requireDistinct(rules);
    return this.rules.preview(tenantId, directoryId, rules);
  }

  /**
   * Replaces the rules, and gives members the roles of their groups. The caller must be able to
   * give each of the roles.
   * @throws {AppError} validation-error on `rules[n].roles[m]` and `rules[n].on[m]`, and on a group
   *   that has two rules for the same; insufficient-user-authentication to give the role of owners;
   *   conflict if the organization would have no owner, or if the creator of a token could not give
   *   a role
   */
  async replace(
    tenantId: TenantId,
    caller: Principal,
    directoryId: string,
    rules: readonly RuleInput[],
  ): Promise<void> {
    requireDistinct(rules);
    const gifts: RuleGifts[] = [];
    const given = new Set(await this.rules.findRoleIds(tenantId, directoryId));
    const added = new Map<string, Role>();
    for (const [n, { roles, on }] of rules.entries()) {
      const keys = [...new Set(roles)];
      const found = await this.roles.requireGivableRoles(
        tenantId,
        caller,
        keys,
        (m) => `rules[${n}].roles[${m}]`,
      );
      if (on && roles.includes(OWNER))
        throw AppError.violation(`rules[${n}].roles[${roles.indexOf(OWNER)}]`, { id: 'assignment.owner' });
      const things = on ? await this.requireThings(caller, on, `rules[${n}].on`) : null;
      gifts.push({ roleIds: found.map(({ id }) => id), things });
      for (const role of found) if (!given.has(role.id)) added.set(role.id, role);
    }
    await this.roles.requireSignInToGive(caller, [...added.values()]);
    const refusal = await this.findRefusalOfTokens(tenantId, directoryId, [...added.keys()]);
    if (refusal) throw new AppError('conflict', { reason: refusal });
    const before = await this.rules.findAccounts(tenantId, directoryId);
    await this.rules.deleteAll(tenantId, directoryId);
    for (const [n, given] of gifts.entries())
      await this.rules.insert(tenantId, directoryId, n, rules[n]?.group ?? '', given);
    const after = await this.rules.findAccounts(tenantId, directoryId);
    const scope = { tenantId, directoryId };
    await this.members.syncRoles(scope, [...new Set([...before, ...after])]).catch(throwConflict);
    await this.audit.record(eventOf(scope, 'rules-changed', caller.userId));
  }

  /**
   * Requires that the creators of the tokens could give a role with further permissions, if rules
   * give it.
   * @throws {AppError} validation-error on `scopes` that names the tokens
   */
  @OnLifecycle('role.extended')
  async requireExtended({ tenantId, roleId }: LifecycleEvents['role.extended']): Promise<void> {
    for (const id of await this.rules.findDirectoriesGiving(tenantId, roleId)) {
      const refusal = await this.findRefusalOfTokens(tenantId, id, [roleId]);
      if (refusal) throw AppError.violation('scopes', refusal);
    }
  }

  /** @returns the things, each once @throws {AppError} validation-error */
  private async requireThings(caller: Principal, on: readonly string[], field: string): Promise<string[]> {
    const found = new Set<string>();
    for (const [m, uri] of on.entries())
      found.add(await this.assignments.requireThing(caller, uri, `${field}[${m}]`));
    return [...found].toSorted();
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

function throwConflict(error: unknown): never {
  if (!(error instanceof LastOwnerError)) throw error;
  throw new AppError('conflict', {
    detail: 'The organization would have no owner. Make another member an owner first.',
  });
}

/** A group may have several rules, each for other things. */
function requireDistinct(rules: readonly RuleInput[]): void {
  const names = rules.map(({ group, on }) =>
    JSON.stringify([foldName(group), on ? [...new Set(on)].toSorted() : null]),
  );
  const twice = names.findIndex((name, n) => names.indexOf(name) < n);
  if (twice >= 0) throw AppError.violation(`rules[${twice}].group`, 'has a rule already');
}
