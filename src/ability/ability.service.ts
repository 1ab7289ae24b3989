import { Injectable } from '@nestjs/common';
import {
  FIRST_PARTY_CLIENT,
  isUlid,
  type OperatorRights,
  isOwnProofMissing,
  type PersonPrincipal,
  type Principal,
} from '../kernel/index.js';
import { Accessible } from './accessible.js';
import type { AllowedBy } from './allowed-by.js';
import { AuthenticationCheck, OWN_PROOF, reasonOf } from './authentication-check.js';
import type { LoadContext } from './ability-policy.decorator.js';
import { AbilityRegistry, type Collection, type DeclaredScope } from './ability.registry.js';
import { CallerScopes, isForProgram, isHeldByOperator } from './scopes/caller-scopes.js';
import {
  type HeldBy,
  HeldScopes,
  type Holder,
  type ScopePredicate,
  type TenantConditions,
} from './scopes/held-scopes.js';
import { SignInCheck } from './sign-in-check.js';
import { Ancestors, type Parents } from './ancestors.js';
import { ThingsBelow } from './things-below.js';
import { type Subject, thingOf } from './subject.js';
import {
  ALLOWED,
  denialError,
  deny,
  denyByAuthentication,
  denyClient,
  denyByState,
  denyHere,
  denyKey,
  denyMachine,
  forbid,
  type Decision,
  type Denial,
  type Refusal,
} from './decision.js';

/** Permission to check: a scope and, where the caller names one, its subject. */
export interface AbilityCheck {
  readonly scope: string;
  readonly subject?: Subject;
  /** Tenant of the request's path. Any but the selected one is treated as unknown (API-10). */
  readonly tenantId?: string;
  /** Without a subject: whether a role on any thing of the tenant is enough, as for lists. */
  readonly anywhere?: boolean;
  /** Further things, as `thingOf` spells them, of which a subject of another service is a part. */
  readonly parents?: readonly string[];
}

/** Decides about permissions. Permission check and guard use this one decision (API-9, ADR 9). */
@Injectable()
export class AbilityService {
  private readonly ancestors: Ancestors;
  private readonly thingsBelow: ThingsBelow;

  constructor(
    private readonly registry: AbilityRegistry,
    private readonly callers: CallerScopes,
    private readonly authentication: AuthenticationCheck,
    private readonly signIns: SignInCheck,
    private readonly held: HeldScopes,
  ) {
    this.ancestors = new Ancestors(registry, held);
    this.thingsBelow = new ThingsBelow(registry, held, this.ancestors);
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
      tenantId === null ? NO_SCOPES : this.held.members.findScopesOnAnything(userId, tenantId),
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
    if (lock) await this.lock(principal, checks, scopes);
    const conditions = await this.findConditions(principal, scopes, lock);
    const caller = await this.findCaller(principal, scopes, conditions, lock);
    const early = checks.map((check, n) => decideEarly(check, scopes[n], caller));
    const names = new Set(checks.map(({ scope }) => scope));
    const context = { principal, lock, scopes: names };
    const entities = await this.load(early, context);
    const held = await this.denyUnheld(early, entities, context, givenParents(checks), findAnywhere);
    const judged = held.map((step) => (isOpen(step) ? judge(step, entities, caller) : step));
    return this.decideLate(principal, judged, lock);
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

  /**
   * Finds on what the caller holds a scope, to filter a list by the decision of the command. Which
   * entities of this service are below is for the list to add, as `parents` of the policies says.
   */
  async findAccessible(principal: Principal, scope: string): Promise<Accessible> {
    const { userId, tenantId } = principal;
    let things: readonly string[] = [];
    const findAnywhere = async (): Promise<ReadonlySet<string>> => {
      if (tenantId !== null) things = await this.held.members.findThingsWith(userId, tenantId, scope);
      return new Set(things.length === 0 ? [] : [scope]);
    };
    const checks = [{ scope }, { scope, anywhere: true }];
    const [inTenant, anywhere] = await this.decideBy(principal, checks, false, findAnywhere);
    if (inTenant?.allowed === true) return new Accessible(null);
    const found = anywhere?.allowed === true ? things : [];
    const context = { principal, lock: false, scopes: new Set([scope]) };
    return new Accessible(found, (...collection) => this.thingsBelow.findIds(context, found, ...collection));
  }

  /**
   * Says by what the caller holds a scope that a check has allowed: a role in the whole tenant, or
   * the one on the nearest thing.
   * @returns null for what no role of a member gives, and for clients of other authors, which learn
   *   nothing about roles
   */
  async explain(principal: Principal, check: AbilityCheck): Promise<HeldBy | null> {
    const isOtherClient = principal.kind === 'person' && principal.clientId !== FIRST_PARTY_CLIENT;
    return isOtherClient ? null : this.findHeldBy(principal, check);
  }

  /**
   * Finds what allows a command that was decided, for the audit trail.
   * @returns null for a role of a member in the whole tenant, which costs members without roles on
   *   things no statement
   */
  async findAllowedBy(principal: Principal, checks: readonly AbilityCheck[]): Promise<AllowedBy | null> {
    const { userId, tenantId } = principal;
    const via = (principal.kind === 'person' && principal.via) || null;
    if (tenantId === null || (via === null && !(await this.hasAssignments(principal)))) return null;
    for (const check of checks) {
      const by = await this.findHeldBy(principal, check);
      if (by && (via !== null || by.on !== null)) return { ...by, userId, tenantId, via };
    }
    return null;
  }

  private async findHeldBy(principal: Principal, check: AbilityCheck): Promise<HeldBy | null> {
    const { scope } = check;
    const { userId, tenantId } = principal;
    if (tenantId === null) return null;
    const inTenant = await this.held.members.findRoleWith(userId, tenantId, scope);
    if (inTenant !== null) return { role: inTenant, on: null };
    const things = await this.findThings(principal, check);
    return this.held.members.findRoleOn(userId, tenantId, scope, things);
  }

  /**
   * Lists the members whose roles hold a scope in the whole tenant, or on the subject of a check or
   * above it, in order of id. A decision may refuse some of them.
   * @param principal caller of the tenant, as whom the subject is loaded
   */
  async findHolders(
    principal: Principal,
    check: AbilityCheck,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<Holder[]> {
    const { tenantId } = principal;
    if (tenantId === null) return [];
    const things = await this.findThings(principal, check);
    return this.held.members.findHolders(tenantId, check.scope, things, page);
  }

  /** Finds the subject of a check and what is above it. Nothing if it does not exist. */
  private async findThings(principal: Principal, check: AbilityCheck): Promise<readonly string[]> {
    const { scope, subject } = check;
    const declared = this.registry.find(scope);
    const collection = declared && subject && findCollection(declared, subject);
    if (!collection || !canExist({ collection, id: subject.id })) return [];
    const context = { principal, lock: false, scopes: new Set([scope]) };
    const entity = (await collection.policy.load([subject.id], context)).get(subject.id);
    if (entity === undefined) return [];
    const loaded = [{ collection, id: subject.id, entity }];
    const found = (await this.ancestors.find(loaded, context, givenParents([check]))).get(entity);
    return found ? [found.thing, ...found.above] : [];
  }

  /** Takes the locks that come before the entities in the lock order. */
  private async lock(
    principal: Principal,
    checks: readonly AbilityCheck[],
    scopes: readonly (DeclaredScope | undefined)[],
  ): Promise<void> {
    const ids = checks.flatMap(({ subject }) => subject?.id ?? []);
    const policies = new Set(scopes.flatMap((scope) => [scope?.judged.policy, scope?.own.policy]));
    for (const policy of policies) await policy?.lock?.(principal, ids);
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
    const tenant = includes('tenant') ? await this.callers.findUserScopes(principal, lock) : null;
    const isComplete =
      !tenant || scopes.every((scope) => scope?.audience !== 'tenant' || tenant(scope.scope));
    return {
      principal,
      closed: conditions.closed,
      tooWeak,
      usable,
      tenant,
      hasAssignments: !isComplete && (await this.hasAssignments(principal)),
      operator: includes('operator') ? await this.callers.findOperatorRights(principal, lock) : null,
    };
  }

  private async hasAssignments({ userId, tenantId, ...caller }: Principal): Promise<boolean> {
    if (tenantId === null || ('owner' in caller && caller.owner !== 'person')) return false;
    return this.held.members.hasAssignments(userId, tenantId);
  }

  /** Loads the entities of open checks, once per collection. */
  private async load(steps: readonly Step[], context: LoadContext): Promise<Entities> {
    const needs = steps.filter(isOpen).flatMap((step) => step.needs);
    const loaded = new Map<string, ReadonlyMap<string, unknown>>();
    for (const [key, found] of Map.groupBy(needs.filter(canExist), ({ collection }) => collection.key)) {
      const ids = new Set(found.map(({ id }) => id));
      loaded.set(key, await found[0]!.collection.policy.load([...ids], context));
    }
    return loaded;
  }

  /**
   * Denies what the caller holds neither in the whole tenant nor on the thing that the check names
   * or on one of which that is a part (ADR 60).
   */
  private async denyUnheld(
    steps: readonly Step[],
    entities: Entities,
    context: LoadContext,
    given: Parents,
    findAnywhere: () => Promise<ReadonlySet<string>>,
  ): Promise<readonly Step[]> {
    const { userId, tenantId } = context.principal;
    if (!steps.some(isUnheld)) return steps;
    if (tenantId === null) return steps.map((step) => (isUnheld(step) ? deny('scope_not_held') : step));
    const named = steps.flatMap((step) => (isOpen(step) && step.unheld?.on) || []);
    const loaded = named
      .map((need) => ({ ...need, entity: entityOf(need, entities) }))
      .filter(({ entity }) => entity !== undefined);
    const lineages = await this.ancestors.find(loaded, context, given);
    const asked = new Set<string>();
    for (const { thing, above } of lineages.values()) {
      asked.add(thing);
      for (const one of above) asked.add(one);
    }
    const held =
      asked.size === 0
        ? NO_THINGS
        : await this.held.members.findScopesOnThings(userId, tenantId, [...asked], context.lock);
    const isHeldOn = (on: Need, scope: string): boolean => {
      const isHeld = (thing: string): boolean => held.get(thing)?.has(scope) === true;
      const lineage = lineages.get(entityOf(on, entities));
      return lineage !== undefined && (isHeld(lineage.thing) || lineage.above.some(isHeld));
    };
    const isMissing = (step: Step): boolean =>
      isOpen(step) &&
      step.unheld !== undefined &&
      !(step.unheld.on && isHeldOn(step.unheld.on, step.scope.scope));
    const anywhere = steps.some(isMissing) ? await findAnywhere() : NO_SCOPES;
    return steps.map((step) => {
      if (!isOpen(step) || !isMissing(step)) return step;
      if (!anywhere.has(step.scope.scope)) return deny('scope_not_held');
      return step.unheld?.anywhere ? step : denyHere();
    });
  }

  /** Denies by `authentication_insufficient`: what is left open is allowed to a strong sign-in. */
  private async decideLate(principal: Principal, steps: readonly Step[], lock: boolean): Promise<Decision[]> {
    const isForOperators = steps.some((step) => isOpen(step) && step.scope.audience === 'operator');
    const isWeakOperator =
      principal.kind === 'person' &&
      isForOperators &&
      (await this.authentication.lacksSecondFactor(principal));
    // One after the other: under locks, all statements go by the connection of the transaction.
    const decisions: Decision[] = [];
    for (const step of steps) {
      if (!isOpen(step)) decisions.push(step);
      else if (principal.kind === 'machine') decisions.push(ALLOWED);
      else decisions.push(await this.decideBySignIn(principal, step.scope, isWeakOperator, lock));
    }
    return decisions;
  }

  /** Decides whether the sign-in has the proofs that a scope asks for. */
  private async decideBySignIn(
    principal: PersonPrincipal,
    scope: DeclaredScope,
    isWeakOperator: boolean,
    lock: boolean,
  ): Promise<Decision> {
    const requiresOwnProof = scope.audience !== 'tenant' && isOwnProofMissing(principal, null);
    if (requiresOwnProof && !(await this.authentication.acceptsWithoutOwnProof(principal, scope.ownProof)))
      return denyByAuthentication(OWN_PROOF, reasonOf(principal, OWN_PROOF));
    const isTooWeak = isWeakOperator && scope.audience === 'operator' && scope.need?.acr !== 'phr';
    const need = isTooWeak ? { ...scope.need, acr: 'aal2' as const } : scope.need;
    if (need === null) return ALLOWED;
    const lacking = await this.authentication.findShortfall(principal, need, lock);
    return lacking === null ? ALLOWED : denyByAuthentication(lacking, reasonOf(principal, lacking));
  }
}

const NO_SCOPES: ReadonlySet<string> = new Set();
const NO_THINGS: ReadonlyMap<string, ReadonlySet<string>> = new Map();

/** A scope for any sign-in is judged by none. */
const UNCONDITIONAL: TenantConditions = { closed: null, signInPolicy: null, otherConnections: true };

/** Reason of what no operator may do as a person. */
const IMPERSONATION = forbid('ability.impersonation');

/** Caller with the scopes that it holds and may use, and what its tenant says. */
interface Caller {
  readonly principal: Principal;
  /** Reason why the tenant is closed; null if it is open. */
  readonly closed: Refusal | null;
  /** Denial of a sign-in that the tenant does not accept. */
  readonly tooWeak: Denial | null;
  /** Scopes that the client, key or token may use. */
  readonly usable: ScopePredicate;
  readonly tenant: ScopePredicate | null;
  /** Whether the caller may hold more on single things of the tenant. */
  readonly hasAssignments: boolean;
  readonly operator: OperatorRights | null;
}

/** Entity that a check has to find besides holding the scope. */
interface Need {
  readonly collection: Collection;
  readonly id: string;
}

/** Check that no step has denied yet. The last entity that it needs is the judged one. */
interface OpenCheck {
  readonly scope: DeclaredScope;
  readonly needs: readonly Need[];
  /** What the caller must hold the scope on, as they do not in the whole tenant. */
  readonly unheld?: Unheld;
}

/** The named entity, or anything. Neither: the whole tenant, to say why it is denied. */
interface Unheld {
  readonly on?: Need;
  readonly anywhere?: true;
}

/** Check after a step: still open, or decided. */
type Step = OpenCheck | Decision;

/** Entities by the key of their collection, and by id. */
type Entities = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

const entityOf = ({ collection, id }: Need, entities: Entities): unknown =>
  entities.get(collection.key)?.get(id);

const isOpen = (step: Step): step is OpenCheck => 'needs' in step;
const isUnheld = (step: Step): boolean => isOpen(step) && step.unheld !== undefined;

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
  if (principal.kind === 'machine' && !isForProgram(principal.owner, scope)) return denyMachine();
  if (!caller.usable(scope.scope)) return principal.kind === 'person' ? denyClient() : denyKey();
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

/**
 * Finds the entities that a check needs. Denies by `subject_mismatch`, and by `subject_not_found`
 * for what the path names in another tenant.
 */
function findNeeds(
  { subject, tenantId }: Omit<AbilityCheck, 'scope'>,
  scope: DeclaredScope,
  principal: Principal,
): Step {
  const { judged } = scope;
  const collection = subject && findCollection(scope, subject);
  if (subject && !collection) return deny('subject_mismatch');
  if (tenantId !== undefined && tenantId !== principal.tenantId) return deny('subject_not_found');
  const named = subject && collection ? [{ collection, id: subject.id }] : [];
  if (collection === judged || judged.name === '') return { scope, needs: named };
  const defaultId = judged.policy.defaultSubject?.(principal) ?? null;
  return { scope, needs: defaultId === null ? named : [...named, { collection: judged, id: defaultId }] };
}

/**
 * Finds the collection of a subject that a scope can be about: its entity's or the judged one.
 * A permission of another service is about the things of its module, which that service knows.
 */
function findCollection({ own, judged }: DeclaredScope, subject: Subject): Collection | undefined {
  if (own.name === '' && own.module === subject.module)
    return { ...own, name: subject.collection, key: `${subject.module}/${subject.collection}` };
  return [judged, own].find(({ module, name }) => module === subject.module && name === subject.collection);
}

/** Parents that the questions name, by thing. */
const givenParents = (checks: readonly AbilityCheck[]): Parents =>
  new Map(
    checks.flatMap(({ subject, parents }) => (subject && parents ? [[thingOf(subject), parents]] : [])),
  );

/** Denies by what was loaded: `subject_not_found`, then `state_forbids`. */
function judge({ scope, needs }: OpenCheck, entities: Entities, { principal, closed }: Caller): Step {
  if (needs.some(({ collection, id }) => !entities.get(collection.key)?.has(id)))
    return deny('subject_not_found');
  const isActing = principal.kind === 'person' && principal.actorId !== undefined;
  if (isActing && !scope.impersonation) return denyByState(IMPERSONATION);
  if (closed !== null && !scope.allowedWhenArchived) return denyByState(closed);
  const judged = needs.at(-1);
  const ruling = judged ? scope.rule(entityOf(judged, entities), principal) : true;
  if (ruling === true) return { scope, needs };
  return 'need' in ruling ? { scope: { ...scope, need: ruling.need }, needs } : denyByState(ruling);
}

function holds(declared: DeclaredScope, { tenant, operator }: Caller): boolean {
  const { scope, audience } = declared;
  if (audience === 'everyone') return true;
  if (audience === 'operator') return isHeldByOperator(declared, operator);
  return tenant?.(scope) ?? false;
}

/**
 * Returns whether an id has the shape of its collection's. No entity has another, and the database
 * refuses some texts that a path can hold.
 */
function canExist({ collection, id }: Need): boolean {
  return collection.policy.isId ? collection.policy.isId(id) : isUlid(id);
}
