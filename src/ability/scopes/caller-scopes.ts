import { Injectable } from '@nestjs/common';
import {
  FIRST_PARTY_CLIENT,
  type MachinePrincipal,
  type OperatorRights,
  partnershipOf,
  type PlatformPrincipal,
  type Principal,
  type TenantId,
  type UserId,
} from '../../kernel/index.js';
import { AbilityRegistry } from '../ability.registry.js';
import type { DeclaredScope } from '../scope-declarations.js';
import type { Denial, Refusal } from '../decision.js';
import { EVERY_SCOPE, type FindRole, HeldScopes, holdsBy, type ScopePredicate } from './held-scopes.js';

type ProgramOwner = (MachinePrincipal | PlatformPrincipal)['owner'];

const holdsAll: ScopePredicate = () => true;

/**
 * Returns whether programs of organizations and people can hold a scope. Not what needs a recent
 * or strong sign-in, what is only for our own app, for operators, or for what a person owns.
 */
export function isForMachines(scope: DeclaredScope | undefined): boolean {
  return scope?.audience === 'tenant' && scope.need === null && !scope.firstParty;
}

/** Returns whether service accounts of the platform can hold a scope: those that say so. */
export function isForPlatformAccounts(scope: DeclaredScope | undefined): boolean {
  return scope?.audience === 'operator' && scope.platformAccounts;
}

/** Returns whether a program can hold a scope, by whose it is. */
export function isForProgram(owner: ProgramOwner, scope: DeclaredScope | undefined): boolean {
  return owner === 'platform' ? isForPlatformAccounts(scope) : isForMachines(scope);
}

/** Returns whether an operator with these rights holds a scope of operators. */
export function isHeldByOperator(
  { scope, operators }: Pick<DeclaredScope, 'scope' | 'operators'>,
  rights: OperatorRights | null,
): boolean {
  if (!rights) return false;
  const isOfRole = rights.role === 'admin' || rights.role === operators;
  return isOfRole && (rights.scopes === null || rights.scopes.has(scope));
}

/** Caller with the scopes that it holds and may use, and what its tenant says. */
export interface Caller {
  readonly principal: Principal;
  /** Reason why the tenant is closed; null if it is open. */
  readonly closed: Refusal | null;
  /** Denial of a sign-in that the tenant does not accept. */
  readonly tooWeak: Denial | null;
  /** Scopes that the client, key or token may use. */
  readonly usable: ScopePredicate;
  /** By which roles the caller holds scopes in the whole tenant; null for none. */
  readonly tenant: FindRole | null;
  /** Whether the caller may hold more on single things of the tenant. */
  readonly hasAssignments: boolean;
  readonly operator: OperatorRights | null;
}

/** Returns whether a caller holds a scope in the whole tenant, or of no tenant. */
export function holds(declared: DeclaredScope, { tenant, operator }: Caller): boolean {
  const { scope, audience } = declared;
  if (audience === 'everyone') return true;
  if (audience === 'operator') return isHeldByOperator(declared, operator);
  return tenant?.(scope) !== undefined;
}

/**
 * Scopes of a caller: those that the user holds, restricted to those of the client that acts for
 * the user (API-16, ADR 12). With `lock`, a method reads the database and locks the rows until the
 * open transaction ends.
 */
@Injectable()
export class CallerScopes {
  constructor(
    private readonly registry: AbilityRegistry,
    private readonly held: HeldScopes,
  ) {}

  /** Returns whether an operator who acts as a person may use the scope. */
  isForActors(scope: string): boolean {
    return this.registry.find(scope)?.impersonation === true;
  }

  /** Returns what the client may do for any user. For the first-party app: everything, unread. */
  async getClientScopes(clientId: string, lock: boolean): Promise<ScopePredicate> {
    if (clientId === FIRST_PARTY_CLIENT) return holdsAll;
    const scopes = await this.held.clients.findScopes(clientId, lock);
    if (!scopes) return () => false;
    return (scope) =>
      this.registry.find(scope)?.firstParty === false && (scopes.has(EVERY_SCOPE) || scopes.has(scope));
  }

  /**
   * Returns what the caller may use of what they hold: all of it by the app, a part of it by a
   * satellite or by a key that is limited.
   */
  async getUsableScopes(caller: Principal, lock: boolean): Promise<ScopePredicate> {
    if (caller.kind === 'person') {
      const ofClient = await this.getClientScopes(caller.clientId, lock);
      const { grantedScopes } = caller;
      return grantedScopes ? (scope) => grantedScopes.has(scope) && ofClient(scope) : ofClient;
    }
    const { scopes, owner } = caller;
    return (scope) =>
      isForProgram(owner, this.registry.find(scope)) && (scopes === null || scopes.has(scope));
  }

  /**
   * @returns what the user or service account holds in the selected tenant, whatever the client;
   *   null without a selected tenant or the access to it that the token says
   */
  async findUserRoles(caller: Principal, lock: boolean): Promise<FindRole | null> {
    const { userId, tenantId } = caller;
    if (tenantId === null) return null;
    return caller.kind === 'machine' && caller.owner === 'service-account'
      ? this.held.machines.findRoles(userId, tenantId, lock)
      : this.held.members.findRoles(userId, tenantId, lock, partnershipOf(caller));
  }

  /**
   * @returns what a member or service account holds in a tenant, by any client; null for one that
   *   is neither, suspended or disabled
   */
  async findScopesOf(userId: UserId, tenantId: TenantId, lock: boolean): Promise<ScopePredicate | null> {
    const holds = holdsBy(await this.held.members.findRoles(userId, tenantId, lock));
    if (holds) return holds;
    const machine = holdsBy(await this.held.machines.findRoles(userId, tenantId, lock));
    return machine && ((scope) => isForMachines(this.registry.find(scope)) && machine(scope));
  }

  /**
   * Returns whether a person holds a scope of operators now.
   * @param lock read the database and keep it so until the open transaction ends
   */
  async isOperatorFor(userId: UserId, scope: string, lock: boolean): Promise<boolean> {
    const declared = this.registry.find(scope);
    const rights = await this.held.members.findOperatorRights(userId, lock);
    return declared !== undefined && isHeldByOperator(declared, rights);
  }

  /**
   * Returns whether an operator or a service account of the platform holds a scope, and keeps it so
   * until the open transaction ends: what they have started is done later.
   */
  async holdsOnPlatform(id: UserId, scope: string): Promise<boolean> {
    if (await this.isOperatorFor(id, scope, true)) return true;
    const declared = this.registry.find(scope);
    const role = isForPlatformAccounts(declared) ? await this.held.machines.findOperatorRole(id, true) : null;
    return declared !== undefined && isHeldByOperator(declared, role && { role, scopes: null });
  }

  /**
   * @returns what the caller holds in the selected tenant, and so may give to others; null without
   *   a selected tenant or a membership
   */
  async findCallerScopes(caller: Principal, lock: boolean): Promise<ScopePredicate | null> {
    const mayUse = await this.getUsableScopes(caller, lock);
    const holds = holdsBy(await this.findUserRoles(caller, lock));
    return holds && ((scope) => holds(scope) && mayUse(scope));
  }

  /**
   * @returns the caller's rights as an operator, by the first-party app or as a service account of
   *   the platform; null for no operator, and for an operator who acts as a person: neither's role
   *   counts
   */
  async findOperatorRights(caller: Principal, lock: boolean): Promise<OperatorRights | null> {
    if (caller.kind === 'machine') {
      if (caller.owner !== 'platform') return null;
      const role = await this.held.machines.findOperatorRole(caller.userId, lock);
      return role && { role, scopes: null };
    }
    const isActing = caller.actorId !== undefined;
    if (isActing || caller.clientId !== FIRST_PARTY_CLIENT) return null;
    return this.held.members.findOperatorRights(caller.userId, lock);
  }

  /**
   * Loads what the caller holds as an operator.
   * @returns a function that says whether an operator with these rights holds more than the caller
   */
  async createOperatorComparison(
    caller: Principal,
    lock: boolean,
  ): Promise<(rights: OperatorRights) => boolean> {
    const own = await this.findOperatorRights(caller, lock);
    const mayUse = await this.getUsableScopes(caller, lock);
    const missing = [...this.registry.all.values()].filter(
      (scope) => scope.audience === 'operator' && !(isHeldByOperator(scope, own) && mayUse(scope.scope)),
    );
    return (rights) => missing.some((scope) => isHeldByOperator(scope, rights));
  }
}
