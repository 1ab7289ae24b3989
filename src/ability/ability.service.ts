import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import {
  isUlid,
  type MachinePrincipal,
  type OperatorRights,
  isOwnProofMissing,
  type Principal,
  type SetSignInPolicy,
} from '../kernel/index.js';
import { AuthenticationCheck, OWN_PROOF, reasonOf } from './authentication-check.js';
import type { LoadContext } from './ability-policy.decorator.js';
import { AbilityRegistry, type Collection, type DeclaredScope } from './ability.registry.js';
import { CallerScopes, isForProgram, isHeldByOperator } from './scopes/caller-scopes.js';
import { HeldScopes, type ScopePredicate, type TenantConditions } from './scopes/held-scopes.js';
import { reasonOfShortfall, SignInCheck } from './sign-in-check.js';
import type { Subject } from './subject.js';
import {
  ALLOWED,
  denialError,
  deny,
  denyByAuthentication,
  denyClient,
  denyByState,
  denyKey,
  denyMachine,
  forbid,
  type Decision,
  type Denial,
} from './decision.js';

/** Permission to check: a scope and, where the caller names one, its subject. */
export interface AbilityCheck {
  readonly scope: string;
  readonly subject?: Subject;
  /** Tenant of the request's path. Any but the selected one is treated as unknown (API-10). */
  readonly tenantId?: string;
}

/** Entity that a check has to find besides holding the scope. */
interface Need {
  readonly collection: Collection;
  readonly id: string;
}

/** Decides about permissions. Permission check and guard use this one decision (API-9, ADR 9). */
@Injectable()
export class AbilityService implements OnModuleInit {
  private heldScopes: HeldScopes;

  constructor(
    private readonly registry: AbilityRegistry,
    private readonly callers: CallerScopes,
    private readonly authentication: AuthenticationCheck,
    private readonly signIns: SignInCheck,
    private readonly modules: ModuleRef,
  ) {}

  onModuleInit(): void {
    this.heldScopes = this.modules.get(HeldScopes, { strict: false });
  }

  /**
   * Decides the checks of one caller. Entities are loaded once per collection, whatever the number
   * of checks.
   * @param lock decide under row locks, inside the command's transaction
   * @returns a decision for each check, in their order: allowed, or the first denial that applies,
   *   in the order of `DENIAL_CODES`
   */
  async decide(principal: Principal, checks: readonly AbilityCheck[], lock = false): Promise<Decision[]> {
    const declared = checks.map(({ scope }) => this.registry.find(scope));
    if (lock) await this.lock(principal, declared);
    const conditions = await this.findConditions(principal, declared, lock);
    const tooWeak = await this.decideBySignIn(principal, conditions);
    const holding = await this.findHolding(principal, declared, lock);
    const early = checks.map((check, n) =>
      this.decideBeforeLoading(check, declared[n], principal, holding, tooWeak),
    );
    const entities = await this.load(
      early.flatMap((outcome) => ('needs' in outcome ? outcome.needs : [])),
      { principal, lock, scopes: new Set(checks.map(({ scope }) => scope)) },
    );
    const rulings = early.map((outcome): Decision | DeclaredScope => {
      if (!('needs' in outcome)) return outcome;
      for (const need of outcome.needs) {
        if (!entities.get(need.collection)?.has(need.id)) return deny('subject_not_found');
      }
      const { allowedWhenArchived, impersonation, rule } = outcome.scope;
      if (!impersonation && isActing(principal)) return denyByState(IMPERSONATION);
      if (conditions.closed !== null && !allowedWhenArchived) return denyByState(conditions.closed);
      const judged = outcome.needs.at(-1);
      const entity = judged && entities.get(judged.collection)?.get(judged.id);
      const ruling = judged ? rule(entity, principal) : true;
      return ruling === true ? outcome.scope : denyByState(ruling);
    });
    const weakOperator =
      principal.kind === 'person' &&
      rulings.some((ruling) => 'audience' in ruling && ruling.audience === 'operator') &&
      (await this.authentication.lacksSecondFactor(principal));
    // One after the other: under locks, all statements go by the connection of the transaction.
    const decisions: Decision[] = [];
    for (const ruling of rulings)
      decisions.push(
        'allowed' in ruling ? ruling : await this.decideByNeed(principal, ruling, weakOperator, lock),
      );
    return decisions;
  }

  /**
   * Enforces the decision: throws the first denial.
   * @param lock as for {@link decide}
   * @throws {AppError} forbidden; not-found if the entity does not exist in the caller's tenant;
   *   insufficient-user-authentication. With the denial's code and reason.
   */
  async require(principal: Principal, checks: readonly AbilityCheck[], lock = false): Promise<void> {
    const decisions = await this.decide(principal, checks, lock);
    const denial = decisions.find((decision) => !decision.allowed);
    if (!denial || denial.allowed) return;
    const { need, reason } = denial;
    throw need && principal.kind === 'person'
      ? await this.authentication.createRefusal(principal, need, reason)
      : denialError(denial);
  }

  private async decideByNeed(
    principal: Principal,
    scope: DeclaredScope,
    weakOperator: boolean,
    lock: boolean,
  ): Promise<Decision> {
    if (principal.kind === 'machine') return ALLOWED;
    const asksOwnProof = scope.audience !== 'tenant' && isOwnProofMissing(principal, null);
    if (asksOwnProof && !(await this.authentication.acceptsWithoutOwnProof(principal, scope.ownProof)))
      return denyByAuthentication(OWN_PROOF, reasonOf(principal, OWN_PROOF));
    const isTooWeak = weakOperator && scope.audience === 'operator' && scope.need?.acr !== 'phr';
    const need = isTooWeak ? { ...scope.need, acr: 'aal2' as const } : scope.need;
    if (need === null) return ALLOWED;
    const lacking = await this.authentication.findShortfall(principal, need, lock);
    return lacking === null ? ALLOWED : denyByAuthentication(lacking, reasonOf(principal, lacking));
  }

  private decideBeforeLoading(
    { subject, tenantId }: AbilityCheck,
    scope: DeclaredScope | undefined,
    principal: Principal,
    holding: Holding,
    tooWeak: Denial | null,
  ): Decision | { readonly needs: readonly Need[]; readonly scope: DeclaredScope } {
    if (!scope) return deny('unknown_scope');
    if (scope.audience === 'tenant' && principal.tenantId === null) return deny('tenant_required');
    if (tooWeak && !scope.anySignIn) return tooWeak;
    if (principal.kind === 'machine' && !isForProgram(principal.owner, scope)) return denyMachine();
    if (!holding.usable(scope.scope)) return principal.kind === 'person' ? denyClient() : denyKey();
    if (!holds(scope, holding)) return deny('scope_not_held');
    const { own, judged } = scope;
    const defaultId = judged.policy.defaultSubject?.(principal) ?? null;
    const defaultNeed = defaultId === null ? [] : [{ collection: judged, id: defaultId }];
    const isOtherTenant = tenantId !== undefined && tenantId !== principal.tenantId;
    if (!subject) return isOtherTenant ? deny('subject_not_found') : { needs: defaultNeed, scope };
    const fits = [judged, own].find(
      ({ module, name }) => module === subject.module && name === subject.collection,
    );
    if (!fits) return deny('subject_mismatch');
    if (isOtherTenant) return deny('subject_not_found');
    const named = { collection: fits, id: subject.id };
    return { needs: fits === judged ? [named] : [named, ...defaultNeed], scope };
  }

  /**
   * Loads the entities, once per collection. Ids of another shape are left out: no entity has one,
   * and the database refuses some texts that a path can hold.
   */
  private async load(
    needs: readonly Need[],
    context: LoadContext,
  ): Promise<ReadonlyMap<Collection, ReadonlyMap<string, unknown>>> {
    const wanted = new Map<Collection, Set<string>>();
    for (const { collection, id } of needs.filter(canExist)) {
      const ids = wanted.get(collection) ?? new Set();
      wanted.set(collection, ids.add(id));
    }
    const loaded = new Map<Collection, ReadonlyMap<string, unknown>>();
    for (const [collection, ids] of wanted) {
      loaded.set(collection, await collection.policy.load([...ids], context));
    }
    return loaded;
  }

  private async lock(principal: Principal, scopes: readonly (DeclaredScope | undefined)[]): Promise<void> {
    const policies = new Set(scopes.flatMap((scope) => [scope?.judged.policy, scope?.own.policy]));
    for (const policy of policies) await policy?.lock?.(principal);
  }

  /** Finds nothing if no scope depends on the tenant, so that nothing is locked for it. */
  private async findConditions(
    { tenantId }: Principal,
    scopes: readonly (DeclaredScope | undefined)[],
    lock: boolean,
  ): Promise<TenantConditions> {
    const depends = scopes.some((scope) => scope && !(scope.allowedWhenArchived && scope.anySignIn));
    return tenantId !== null && depends ? this.heldScopes.findConditions(tenantId, lock) : UNCONDITIONAL;
  }

  /** @returns the denial if the selected tenant refuses the sign-in of a person, or behind a key */
  private async decideBySignIn(principal: Principal, conditions: TenantConditions): Promise<Denial | null> {
    const { signInPolicy: policy } = conditions;
    if (principal.tenantId === null) return null;
    if (principal.kind === 'machine') return policy && this.decideByKey(principal, policy);
    if (policy === null && principal.ownProofMissing !== true) return null;
    const verdict = await this.signIns.judgeBy(conditions, principal, principal.tenantId);
    if (verdict.accepted) return null;
    const { shortfall } = verdict;
    return denyByAuthentication(shortfall, reasonOfShortfall(principal, shortfall, principal.tenantId));
  }

  /** A service account has no sign-in; a key of a member has that of its making. */
  private async decideByKey(principal: MachinePrincipal, policy: SetSignInPolicy): Promise<Denial | null> {
    if (principal.owner !== 'person') return null;
    const shortfall = await this.signIns.findKeyShortfall(principal, policy, principal.tenantId);
    if (shortfall === null) return null;
    const reason = shortfall.connectionId === undefined ? 'ability.key-too-weak' : 'ability.key-without-sso';
    return denyByAuthentication(shortfall, forbid(reason));
  }

  private async findHolding(
    principal: Principal,
    scopes: readonly (DeclaredScope | undefined)[],
    lock: boolean,
  ): Promise<Holding> {
    const asked = (audience: string) => scopes.some((scope) => scope?.audience === audience);
    return {
      usable: await this.callers.getUsableScopes(principal, lock),
      tenant: asked('tenant') ? await this.callers.findUserScopes(principal, lock) : null,
      operator: asked('operator') ? await this.callers.findOperatorRights(principal, lock) : null,
    };
  }
}

function canExist({ collection, id }: Need): boolean {
  return collection.policy.isId ? collection.policy.isId(id) : isUlid(id);
}

/** Reason of what no operator may do as a person. */
const IMPERSONATION = forbid('ability.impersonation');

/** Returns whether an operator acts as the person. */
const isActing = (principal: Principal): boolean =>
  principal.kind === 'person' && principal.actorId !== undefined;

/** A scope for any sign-in is judged by none. */
const UNCONDITIONAL: TenantConditions = { closed: null, signInPolicy: null, otherConnections: true };

interface Holding {
  readonly usable: ScopePredicate;
  readonly tenant: ScopePredicate | null;
  readonly operator: OperatorRights | null;
}

function holds(declared: DeclaredScope, { tenant, operator }: Holding): boolean {
  const { scope, audience } = declared;
  if (audience === 'everyone') return true;
  if (audience === 'operator') return isHeldByOperator(declared, operator);
  return tenant?.(scope) ?? false;
}
