import { Injectable } from '@nestjs/common';
import { isOwnProofMissing, type Principal } from '../kernel/index.js';
import { Database } from '../platform/database/index.js';
import type { LoadContext } from './ability-policy.decorator.js';
import { AbilityRegistry, canExist, findNeeds, lockThings } from './ability.registry.js';
import { Accessible } from './accessible.js';
import { Ancestors } from './ancestors.js';
import { AuthenticationCheck, OWN_PROOF, reasonOf } from './authentication-check.js';
import {
  type Allowed,
  type Decision,
  type Denial,
  denialError,
  deny,
  denyByAuthentication,
  denyByState,
  denyUnheld,
  forbid,
} from './decision.js';
import {
  allow,
  type Entities,
  entityOf,
  givenParents,
  hasAssignments,
  HeldOnThings,
  isOpen,
  NO_SCOPES,
  type OpenCheck,
  type Step,
} from './held-on-things.js';
import { type Caller, CallerScopes, holds, isForProgram } from './scopes/caller-scopes.js';
import { HeldScopes, type TenantConditions, UNCONDITIONAL } from './scopes/held-scopes.js';
import type { DeclaredScope } from './scope-declarations.js';
import { SignInCheck } from './sign-in-check.js';
import { ThingsBelow } from './things-below.js';
import type { AbilityCheck } from './subject.js';

/** Decides about permissions. Permission check and guard use this one decision (API-9, ADR 9). */
@Injectable()
export class AbilityService {
  private readonly onThings: HeldOnThings;
  private readonly thingsBelow: ThingsBelow;

  constructor(
    private readonly registry: AbilityRegistry,
    private readonly callers: CallerScopes,
    private readonly authentication: AuthenticationCheck,
    private readonly signIns: SignInCheck,
    private readonly held: HeldScopes,
    database: Database,
  ) {
    const ancestors = new Ancestors(registry, held);
    this.onThings = new HeldOnThings(held, ancestors, database);
    this.thingsBelow = new ThingsBelow(registry, held, ancestors);
  }

  /**
   * Decides the checks of one caller in steps, each of which may deny. Entities are loaded once per
   * collection, whatever the number of checks.
   * @param lock decide under row locks, inside the command's transaction
   * @returns a decision for each check, in their order: allowed, or the first denial that applies,
   *   in the order of `DENIAL_CODES`
   */
  decide(principal: Principal, checks: readonly AbilityCheck[], lock = false): Promise<Decision[]> {
    const { userId, tenantId } = principal;
    return this.decideBy(principal, checks, lock, async () =>
      tenantId === null ? NO_SCOPES : this.held.assignments.findScopesOnAnything(userId, tenantId),
    );
  }

  /** @param findAnywhere finds the scopes that the caller holds on single things, if it matters */
  private async decideBy(
    principal: Principal,
    checks: readonly AbilityCheck[],
    lock: boolean,
    findAnywhere: () => Promise<ReadonlySet<string>>,
  ): Promise<Decision[]> {
    const scopes = checks.map(({ scope }) => this.registry.find(scope));
    if (lock) await lockThings(principal, checks, scopes);
    const conditions = await this.findConditions(principal, scopes, lock);
    const caller = await this.findCaller(principal, scopes, conditions, lock);
    const early = checks.map((check, n) => decideEarly(check, scopes[n], caller));
    const context = { principal, lock, scopes: new Set(checks.map(({ scope }) => scope)) };
    const entities = await this.load(early, context);
    const held = await this.onThings.denyUnheld(early, entities, context, givenParents(checks), findAnywhere);
    const judged = held.map((step) => (isOpen(step) ? judge(step, entities, caller) : step));
    return this.decideLate(caller, judged, lock);
  }

  /**
   * Enforces the decision: throws the first denial.
   * @param lock as for {@link decide}
   * @returns by what each check is allowed
   * @throws {AppError} forbidden; not-found if the entity does not exist in the caller's tenant;
   *   insufficient-user-authentication. With the denial's code and reason. Unavailable with `lock`,
   *   as {@link ThingLocks.requireTurn} says.
   */
  async require(principal: Principal, checks: readonly AbilityCheck[], lock = false): Promise<Allowed[]> {
    const decisions = await this.decide(principal, checks, lock);
    const denial = decisions.find((decision) => !decision.allowed);
    if (!denial) return decisions.filter((one) => one.allowed);
    const { need, reason } = denial;
    throw need && principal.kind === 'person'
      ? await this.authentication.createRefusal(principal, need, reason)
      : denialError(denial);
  }

  /**
   * Finds on what the caller holds a scope, to filter a list by the decision of the command. Which
   * entities of this service are below is for the list to add, as `parents` of the policies says.
   */
  async findAccessible(principal: Principal, scope: string): Promise<Accessible> {
    const { userId, tenantId } = principal;
    let things: readonly string[] = [];
    const findAnywhere = async (): Promise<ReadonlySet<string>> => {
      if (tenantId !== null) things = await this.held.assignments.findThingsWith(userId, tenantId, scope);
      return new Set(things.length === 0 ? [] : [scope]);
    };
    const checks = [{ scope }, { scope, anywhere: true }];
    const [inTenant, anywhere] = await this.decideBy(principal, checks, false, findAnywhere);
    if (inTenant?.allowed === true) return new Accessible(null);
    const found = anywhere?.allowed === true ? things : [];
    const context = { principal, lock: false, scopes: new Set([scope]) };
    return new Accessible(found, (...collection) => this.thingsBelow.findIds(context, found, ...collection));
  }

  /** Finds nothing if no scope depends on the tenant, so that nothing is locked for it. */
  private async findConditions(
    { tenantId }: Principal,
    scopes: readonly (DeclaredScope | undefined)[],
    lock: boolean,
  ): Promise<TenantConditions> {
    const depends = scopes.some((scope) => scope && !(scope.allowedWhenArchived && scope.anySignIn));
    return tenantId !== null && depends ? this.held.members.findConditions(tenantId, lock) : UNCONDITIONAL;
  }

  /** Finds what the early step compares with: the scopes that the caller holds and may use. */
  private async findCaller(
    principal: Principal,
    scopes: readonly (DeclaredScope | undefined)[],
    conditions: TenantConditions,
    lock: boolean,
  ): Promise<Caller> {
    const includes = (audience: string) => scopes.some((scope) => scope?.audience === audience);
    const usable = await this.callers.getUsableScopes(principal, lock);
    const tooWeak = await this.signIns.findDenial(principal, conditions);
    const tenant = includes('tenant') ? await this.callers.findUserRoles(principal, lock) : null;
    const isComplete =
      !tenant || scopes.every((scope) => scope?.audience !== 'tenant' || tenant(scope.scope) !== undefined);
    return {
      principal,
      closed: conditions.closed,
      tooWeak,
      usable,
      tenant,
      hasAssignments: !isComplete && (await hasAssignments(this.held, principal)),
      operator: includes('operator') ? await this.callers.findOperatorRights(principal, lock) : null,
    };
  }

  /** Loads the entities of open checks, once per collection. */
  private async load(steps: readonly Step[], context: LoadContext): Promise<Entities> {
    const needs = steps.filter(isOpen).flatMap((step) => step.needs);
    const loaded = new Map<string, ReadonlyMap<string, unknown>>();
    if (context.lock) await this.onThings.locks.requireTurn(context.principal, needs);
    for (const [key, found] of Map.groupBy(needs.filter(canExist), ({ collection }) => collection.key)) {
      const ids = new Set(found.map(({ id }) => id));
      loaded.set(key, await found[0]!.collection.policy.load([...ids], context));
    }
    return loaded;
  }

  /** Denies by `authentication_insufficient`: what is left open is allowed to a strong sign-in. */
  private async decideLate(caller: Caller, steps: readonly Step[], lock: boolean): Promise<Decision[]> {
    const { principal, tenant } = caller;
    const isForOperators = steps.some((step) => isOpen(step) && step.scope.audience === 'operator');
    const isWeakOperator =
      principal.kind === 'person' &&
      isForOperators &&
      (await this.authentication.lacksSecondFactor(principal));
    // One after the other: under locks, all statements go by the connection of the transaction.
    const decisions: Decision[] = [];
    for (const step of steps) {
      const end = isOpen(step) && (await this.denyBySignIn(principal, step.scope, isWeakOperator, lock));
      decisions.push(end || (isOpen(step) ? allow(step, tenant) : step));
    }
    return decisions;
  }

  /** @returns null for a sign-in that has the proofs that a scope asks for */
  private async denyBySignIn(
    principal: Principal,
    scope: DeclaredScope,
    isWeakOperator: boolean,
    lock: boolean,
  ): Promise<Denial | null> {
    if (principal.kind === 'machine') return null;
    const requiresOwnProof = scope.audience !== 'tenant' && isOwnProofMissing(principal, null);
    if (requiresOwnProof && !(await this.authentication.acceptsWithoutOwnProof(principal, scope.ownProof)))
      return denyByAuthentication(OWN_PROOF, reasonOf(principal, OWN_PROOF));
    const isTooWeak = isWeakOperator && scope.audience === 'operator' && scope.need?.acr !== 'phr';
    const need = isTooWeak ? { ...scope.need, acr: 'aal2' as const } : scope.need;
    if (need === null) return null;
    const lacking = await this.authentication.findShortfall(principal, need, lock);
    return lacking === null ? null : denyByAuthentication(lacking, reasonOf(principal, lacking));
  }
}

/**
 * Denies before anything is loaded, in this order: `unknown_scope`, `tenant_required`,
 * `authentication_insufficient` for the tenant, `scope_not_held`, `subject_mismatch`, and
 * `subject_not_found` for what the path names in another tenant.
 */
function decideEarly(
  { subject, tenantId, anywhere }: AbilityCheck,
  scope: DeclaredScope | undefined,
  caller: Caller,
): Step {
  const { principal, tooWeak } = caller;
  if (!scope) return deny('unknown_scope');
  if (scope.audience === 'tenant' && principal.tenantId === null) return deny('tenant_required');
  if (tooWeak && !scope.anySignIn) return tooWeak;
  if (principal.kind === 'machine' && !isForProgram(principal.owner, scope)) return denyUnheld('by machine');
  if (!caller.usable(scope.scope)) return denyUnheld(principal.kind === 'person' ? 'by client' : 'by key');
  const isHeld = holds(scope, caller);
  if (!isHeld && !(scope.audience === 'tenant' && caller.hasAssignments)) return deny('scope_not_held');
  const step = findNeeds({ subject, tenantId }, scope, principal);
  if (isHeld) return step;
  // As for a thing that does not exist: the permission check has no path that names a tenant.
  if (!isOpen(step)) return { scope, needs: [], unheld: {} };
  const [named] = step.needs;
  if (!subject) return { ...step, unheld: anywhere === true ? { anywhere } : {} };
  return named ? { ...step, unheld: { on: named } } : deny('scope_not_held');
}

/** Denies by what was loaded: `subject_not_found`, then `state_forbids`. */
function judge(step: OpenCheck, entities: Entities, { principal, closed }: Caller): Step {
  const { scope, needs } = step;
  if (needs.some(({ collection, id }) => !entities.get(collection.key)?.has(id)))
    return deny('subject_not_found');
  const isActing = principal.kind === 'person' && principal.actorId !== undefined;
  if (isActing && !scope.impersonation) return denyByState(forbid('ability.impersonation'));
  if (closed !== null && !scope.allowedWhenArchived) return denyByState(closed);
  const judged = needs.at(-1);
  const ruling = judged ? scope.rule(entityOf(judged, entities), principal) : true;
  if (ruling === true) return step;
  return 'need' in ruling ? { ...step, scope: { ...scope, need: ruling.need } } : denyByState(ruling);
}
