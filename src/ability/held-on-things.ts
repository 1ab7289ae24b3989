import { partnershipOf, type Principal } from '../kernel/index.js';
import type { Database } from '../platform/database/index.js';
import type { LoadContext } from './ability-policy.decorator.js';
import type { Need } from './ability.registry.js';
import type { Ancestors, Parents } from './ancestors.js';
import { type Allowed, type Decision, deny, denyUnheld, type HeldBy } from './decision.js';
import type { DeclaredScope } from './scope-declarations.js';
import type { FindRole, HeldScopes } from './scopes/held-scopes.js';
import { type AbilityCheck, thingOf } from './subject.js';
import { ThingLocks } from './thing-locks.js';

export const NO_SCOPES: ReadonlySet<string> = new Set();
const NO_THINGS: ReadonlyMap<string, FindRole> = new Map();

/** Check that no step has denied yet. The last entity that it needs is the judged one. */
export interface OpenCheck {
  readonly scope: DeclaredScope;
  readonly needs: readonly Need[];
  /** What the caller must hold the scope on, as they do not in the whole tenant. */
  readonly unheld?: Unheld;
  /** The role on the nearest thing by which the caller holds it nevertheless. */
  readonly by?: HeldBy;
}

/** The named entity, or anything. Neither: the whole tenant, to say why it is denied. */
interface Unheld {
  readonly on?: Need;
  readonly anywhere?: true;
}

/** Check after a step: still open, or decided. */
export type Step = OpenCheck | Decision;

/** Entities by the key of their collection, and by id. */
export type Entities = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

export const entityOf = ({ collection, id }: Need, entities: Entities): unknown =>
  entities.get(collection.key)?.get(id);

export const isOpen = (step: Step): step is OpenCheck => 'needs' in step;

/** Decides by what callers hold on single things (ADR 60). */
export class HeldOnThings {
  readonly locks: ThingLocks;

  constructor(
    private readonly held: HeldScopes,
    private readonly ancestors: Ancestors,
    database: Database,
  ) {
    this.locks = new ThingLocks(database);
  }

  /**
   * Denies what the caller holds neither in the whole tenant nor on the thing that the check names
   * or on one of which that is a part (ADR 60).
   */
  async denyUnheld(
    steps: readonly Step[],
    entities: Entities,
    context: LoadContext,
    given: Parents,
    findAnywhere: () => Promise<ReadonlySet<string>>,
  ): Promise<readonly Step[]> {
    const { principal, lock } = context;
    const { userId, tenantId } = principal;
    if (!steps.some(isUnheld)) return steps;
    if (tenantId === null) return steps.map((step) => (isUnheld(step) ? deny('scope_not_held') : step));
    const named = steps.flatMap((step) => (isOpen(step) && step.unheld?.on) || []);
    const loaded = named
      .map((need) => ({ ...need, entity: entityOf(need, entities) }))
      .filter(({ entity }) => entity !== undefined);
    const lineages = await this.ancestors.find(loaded, context, given);
    if (lock) this.locks.noteAbove(lineages.values());
    const asked = new Set<string>();
    for (const { thing, above } of lineages.values()) {
      asked.add(thing);
      for (const one of above) asked.add(one);
    }
    const held =
      asked.size === 0
        ? NO_THINGS
        : await this.held.assignments.findRolesOnThings(
            userId,
            tenantId,
            [...asked],
            lock,
            partnershipOf(principal),
          );
    const findHeldBy = (on: Need, scope: string): HeldBy | undefined => {
      const { thing, above = [] } = lineages.get(entityOf(on, entities)) ?? {};
      for (const one of thing === undefined ? [] : [thing, ...above]) {
        const role = held.get(one)?.(scope);
        if (role !== undefined) return { role, on: one };
      }
      return undefined;
    };
    const found = steps.map((step) => {
      const by = isOpen(step) && step.unheld?.on && findHeldBy(step.unheld.on, step.scope.scope);
      return by ? { ...step, by } : step;
    });
    const isMissing = (step: Step): boolean => isUnheld(step) && !('by' in step);
    const anywhere = found.some(isMissing) ? await findAnywhere() : NO_SCOPES;
    return found.map((step) => {
      if (!isOpen(step) || !isMissing(step)) return step;
      if (!anywhere.has(step.scope.scope)) return deny('scope_not_held');
      return step.unheld?.anywhere ? step : denyUnheld('on this');
    });
  }
}

/**
 * Allows a check, and says by which role.
 * @param tenant finds the role in the whole tenant
 */
export function allow({ scope: { scope, audience }, by }: OpenCheck, tenant: FindRole | null): Allowed {
  if (by) return { allowed: true, by };
  const role = audience === 'tenant' ? tenant?.(scope) : undefined;
  return role === undefined ? { allowed: true } : { allowed: true, by: { role, on: null } };
}

const isUnheld = (step: Step): boolean => isOpen(step) && step.unheld !== undefined;

/** Parents that the questions name, by thing. */
export const givenParents = (checks: readonly AbilityCheck[]): Parents =>
  new Map(
    checks.flatMap(({ subject, parents }) => (subject && parents ? [[thingOf(subject), parents]] : [])),
  );

/** Returns whether a caller may hold roles on single things of the tenant, by the cache. */
export async function hasAssignments(
  held: HeldScopes,
  { userId, tenantId, ...caller }: Principal,
): Promise<boolean> {
  if (tenantId === null || ('owner' in caller && caller.owner !== 'person')) return false;
  return held.assignments.hasAssignments(userId, tenantId);
}
