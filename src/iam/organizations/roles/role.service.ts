import { Injectable } from '@nestjs/common';
import {
  AbilityRegistry,
  AuthenticationCheck,
  CallerScopes,
  denialError,
  denyByState,
  type ScopePredicate,
} from '../../../ability/index.js';
import { AppError, type Violation } from '../../../platform/errors/index.js';
import type { Page } from '../../../platform/api/index.js';
import { type Locale, type Message, textOf } from '../../../platform/messages/index.js';
import { type Principal, SENSITIVE, type TenantId, type UserId } from '../../../kernel/index.js';
import { MemberRoleRepository } from '../members/member-role.repository.js';
import type { PermissionResponse } from './role.dto.js';
import { OWNER, scopesOf } from './role-scopes.js';
import { RoleRepository, type Role } from './role.repository.js';

/** Finds roles, and what callers can give: not more than they hold (API-12). */
@Injectable()
export class RoleService {
  constructor(
    private readonly roles: RoleRepository,
    private readonly memberRoles: MemberRoleRepository,
    private readonly callers: CallerScopes,
    private readonly registry: AbilityRegistry,
    private readonly authentication: AuthenticationCheck,
  ) {}

  async list(tenantId: TenantId, page: Page): Promise<Role[]> {
    return (await this.roles.list(tenantId, page)).map((role) => this.withScopes(role));
  }

  /** @throws {AppError} not-found */
  async get(tenantId: TenantId, id: string): Promise<Role> {
    const role = (await this.roles.find(tenantId, id)) ?? AppError.notFound();
    return this.withScopes(role);
  }

  /** Lists the scopes that roles can hold, of all modules; the scopes of one policy in a row. */
  async listPermissions(caller: Principal, locale: Locale): Promise<PermissionResponse[]> {
    const holds = await this.callers.findCallerScopes(caller, false);
    return [...this.registry.all.values()]
      .filter(({ audience }) => audience === 'tenant')
      .map(({ scope, texts: { title, description, group } }) => ({
        scope,
        title: textOf(title, locale),
        description: description === null ? null : textOf(description, locale),
        group: textOf(group, locale),
        givable: holds?.(scope) === true,
      }));
  }

  /** Returns the roles with these keys, without unknown ones. */
  findByKeys(tenantId: TenantId, keys: readonly string[]): Promise<Pick<Role, 'id' | 'key'>[]> {
    return this.roles.findByKeys(tenantId, keys);
  }

  /** Returns the ids of the roles with these keys, without unknown ones. */
  async findIds(tenantId: TenantId, keys: readonly string[]): Promise<string[]> {
    return (await this.findByKeys(tenantId, keys)).map(({ id }) => id);
  }

  /** Returns the roles with these ids, without deleted ones. */
  async findByIds(tenantId: TenantId, ids: readonly string[]): Promise<Pick<Role, 'id' | 'key'>[]> {
    if (ids.length === 0) return [];
    return (await this.roles.findAllOf([tenantId])).filter(({ id }) => ids.includes(id));
  }

  /** Returns the keys of the roles with these ids, without deleted ones. */
  async findKeys(tenantId: TenantId, ids: readonly string[]): Promise<string[]> {
    return (await this.findByIds(tenantId, ids)).map(({ key }) => key);
  }

  /** Returns the id of the role with this key; undefined if there is none. */
  async findId(tenantId: TenantId, key: string): Promise<string | undefined> {
    const [id] = await this.findIds(tenantId, [key]);
    return id;
  }

  /**
   * Requires that the caller may give the roles.
   * @param keys keys of the roles
   * @param fieldOf returns the field of the request with the key at an index; by default `roles[n]`
   * @returns the roles
   * @throws {AppError} validation-error on the field for a role that is unknown or holds more than
   *   the caller, and for the role of an owner if the caller is not one
   */
  async requireGivableRoles(
    tenantId: TenantId,
    caller: Principal,
    keys: readonly string[],
    fieldOf = (n: number): string => `roles[${n}]`,
  ): Promise<Role[]> {
    const { roles, judged } = await this.judgeRoles(tenantId, caller, keys);
    const violations = judged.flatMap(({ refusal }, n): Violation[] =>
      refusal === null ? [] : [{ propertyPath: fieldOf(n), message: refusal }],
    );
    if (violations.length > 0) throw new AppError('validation-error', { violations });
    return roles;
  }

  /**
   * Requires that the caller may give the roles to a program.
   * @returns the roles
   * @throws {AppError} validation-error on `roles[n]` for an unknown role; forbidden for one that
   *   holds more than the caller
   */
  async requireRolesWithinReach(
    tenantId: TenantId,
    caller: Principal,
    keys: readonly string[],
  ): Promise<Role[]> {
    const { roles, judged } = await this.judgeRoles(tenantId, caller, keys);
    const violations = judged.flatMap(({ isKnown, refusal }, n): Violation[] =>
      isKnown || refusal === null ? [] : [{ propertyPath: `roles[${n}]`, message: refusal }],
    );
    if (violations.length > 0) throw new AppError('validation-error', { violations });
    const excess = judged.find(({ refusal }) => refusal !== null)?.refusal;
    if (excess) throw denialError(denyByState(excess));
    return roles;
  }

  /** Returns the roles with these keys, and for each key why the caller cannot give it. */
  private async judgeRoles(
    tenantId: TenantId,
    caller: Principal,
    keys: readonly string[],
  ): Promise<{
    readonly roles: Role[];
    readonly judged: readonly { readonly isKnown: boolean; readonly refusal: Message | null }[];
  }> {
    const found = new Map((await this.roles.findByKeys(tenantId, keys)).map((role) => [role.key, role]));
    const holds = await this.callers.findCallerScopes(caller, true);
    const whyNot = await this.createGiveCheck(tenantId, caller.userId, holds);
    const judged = keys.map((key) => {
      const role = found.get(key);
      const refusal = role ? whyNot(role) : { id: 'role.unknown' as const, values: { key } };
      return { isKnown: role !== undefined, refusal };
    });
    return { roles: [...found.values()], judged };
  }

  /**
   * Requires a recent sign-in of a person who makes an owner: with a stolen token, a thief could
   * otherwise keep the organization.
   * @param roles that are given
   * @throws {AppError} insufficient-user-authentication
   */
  async requireSignInToGive(caller: Principal, roles: readonly Role[]): Promise<void> {
    if (caller.kind === 'person' && roles.some(({ key }) => key === OWNER))
      await this.authentication.require(caller, SENSITIVE);
  }

  /**
   * Returns whether the person may give all of these roles now, by the database.
   * @param ids ids of the roles
   */
  async canGive(tenantId: TenantId, actorId: UserId, ids: readonly string[]): Promise<boolean> {
    const holds = await this.callers.findScopesOf(actorId, tenantId, true);
    const whyNot = await this.createGiveCheck(tenantId, actorId, holds);
    const roles = (await this.roles.findAllOf([tenantId])).filter(({ id }) => ids.includes(id));
    return roles.every((role) => whyNot(role) === null);
  }

  /**
   * Loads what a person may give. The role of an owner needs that role: holding all of its scopes
   * is not enough.
   * @returns a function from a role to the reason why the person cannot give it; null if they can
   */
  private async createGiveCheck(
    tenantId: TenantId,
    actorId: UserId,
    holds: ScopePredicate | null,
  ): Promise<(role: Role) => Message | null> {
    const own = (await this.memberRoles.findIds(tenantId, actorId, true)) ?? [];
    return (role) => {
      if (!this.withScopes(role).scopes.every((scope) => holds?.(scope)))
        return { id: 'role.named-exceeds-caller', values: { key: role.key } };
      return role.key !== OWNER || own.includes(role.id) ? null : { id: 'invitation.owners-only' };
    };
  }

  /**
   * Requires that the caller may give the scopes.
   * @returns each of them once
   * @throws {AppError} validation-error on `scopes[n]`
   */
  async requireGivableScopes(caller: Principal, scopes: readonly string[]): Promise<string[]> {
    const holds = await this.callers.findCallerScopes(caller, true);
    const violations = scopes.flatMap((scope, n): Violation[] => {
      const propertyPath = `scopes[${n}]`;
      if (this.registry.find(scope)?.audience !== 'tenant')
        return [{ propertyPath, message: { id: 'role.unknown-permission' } }];
      return holds?.(scope) ? [] : [{ propertyPath, message: { id: 'role.permission-not-held' } }];
    });
    if (violations.length > 0) throw new AppError('validation-error', { violations });
    return [...new Set(scopes)];
  }

  private withScopes(role: Role): Role {
    return { ...role, scopes: scopesOf(this.registry, role) };
  }
}
