import { Inject, Injectable } from '@nestjs/common';
import { AbilityRegistry, parseSubject, thingOf } from '../../../ability/index.js';
import { type LifecycleEvents, LOCK, type Principal, type TenantId } from '../../../kernel/index.js';
import { MAX_COUNTED, type Page } from '../../../platform/api/index.js';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { TenantDatabase } from '../../../platform/database/index.js';
import { AppError, type Violation } from '../../../platform/errors/index.js';
import { OnLifecycle } from '../../../platform/lifecycle/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { MAX_ABOVE, ThingParents } from './thing-parents.js';
import { type Edge, type NewThing, type RegisteredThing, ThingRepository } from './thing.repository.js';

/** Levels above a thing, as the decision looks at them. */
const MAX_DEPTH = 16;

const TABLES = [
  ['registered_parents', 'thing, parent'],
  ['registered_things', 'thing'],
  ['registered_thing_counts', 'tenant_id'],
] as const;

/** A thing as a request names it, by URIs. */
export interface ThingInput {
  readonly thing: string;
  readonly parents: readonly string[];
  readonly name?: string | undefined;
}

/**
 * Registers the things of other services, so that a role on one holds on what is below it. What
 * this service's own modules have is not registered: their policies say what it is a part of.
 */
@Injectable()
export class ThingService {
  constructor(
    private readonly things: ThingRepository,
    private readonly parents: ThingParents,
    private readonly registry: AbilityRegistry,
    private readonly audit: AuditTrail,
    private readonly tenants: TenantDatabase,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Lists registered things, in order of registration.
   * @param query a part of the name; null for all
   */
  list(tenantId: TenantId, page: Page, query: string | null): Promise<RegisteredThing[]> {
    return query === null ? this.things.list(tenantId, page) : this.things.listNamed(tenantId, page, query);
  }

  /** @throws {AppError} not-found */
  async get(tenantId: TenantId, uri: string): Promise<RegisteredThing> {
    const subject = parseSubject(uri);
    const found = subject && (await this.things.find(tenantId, thingOf(subject)));
    if (!found) throw new AppError('not-found');
    return found;
  }

  /**
   * Registers things with what they are parts of, all or none, in the place of what was registered.
   * The decision knows it at once.
   * @param fieldOf returns the field of the request with the thing at an index
   * @returns the number of things that are new or have changed
   * @throws {AppError} validation-error for a thing of a module of this service, or one that is
   *   there twice; conflict for a cycle, more than 16 levels, too much above a thing, or too many
   *   things
   */
  async register(
    tenantId: TenantId,
    caller: Principal,
    inputs: readonly ThingInput[],
    fieldOf: (n: number) => string,
  ): Promise<number> {
    const things = this.read(inputs, fieldOf);
    const count = await this.things.lockForUpdate(tenantId);
    const put = await this.things.put(tenantId, things);
    const moved = await this.things.replaceParents(tenantId, things);
    const added = put.filter(({ isNew }) => isNew).length;
    if (added > 0) await this.setCount(tenantId, count + added);
    if (moved.length > 0) await this.requireTree(tenantId, things, moved);
    const changed = [...new Set([...put, ...moved].map(({ thing }) => thing))];
    await this.audit.record(...changed.map((thing) => eventOf('registered', tenantId, caller, thing)));
    return changed.length;
  }

  /**
   * Removes a thing and what it is a part of. What is below it stays a part of it.
   * @throws {AppError} not-found
   */
  async remove(tenantId: TenantId, caller: Principal, uri: string): Promise<void> {
    const count = await this.things.lockForUpdate(tenantId);
    const { thing, parents } = await this.get(tenantId, uri);
    await this.things.replaceParents(tenantId, [{ thing, name: null, parents: [] }]);
    await this.things.delete(tenantId, thing);
    await this.things.setCount(tenantId, count - 1);
    await this.setHeights(tenantId, parents);
    await this.audit.record(eventOf('removed', tenantId, caller, thing));
  }

  @OnLifecycle('tenant.deletion-previewed', { order: LOCK.rows })
  async report({ tenantId, report }: LifecycleEvents['tenant.deletion-previewed']): Promise<void> {
    report('things', await this.tenants.countUpTo(MAX_COUNTED, tenantId, 'registered_things'));
  }

  @OnLifecycle('tenant.deleting', { order: LOCK.rows })
  async removeOfTenant({ tenantId, batch, repeat }: LifecycleEvents['tenant.deleting']): Promise<void> {
    if (await this.tenants.removeBatch(tenantId, batch, TABLES)) repeat();
  }

  /** @throws {AppError} validation-error */
  private read(inputs: readonly ThingInput[], fieldOf: (n: number) => string): NewThing[] {
    const violations: Violation[] = [];
    const seen = new Set<string>();
    const things = inputs.map(({ thing: uri, parents, name = null }, n) => {
      const subject = parseSubject(uri);
      const above = parents.map((parent) => parseSubject(parent));
      const thing = subject ? thingOf(subject) : '';
      const isOwn = subject && this.registry.findCollection(subject.module, subject.collection);
      if (!subject || isOwn || seen.has(thing))
        violations.push({ propertyPath: `${fieldOf(n)}thing`, message: { id: 'thing.not-registrable' } });
      if (above.includes(null))
        violations.push({
          propertyPath: `${fieldOf(n)}parents`,
          message: { id: 'assignment.unknown-thing' },
        });
      seen.add(thing);
      return { thing, name, parents: [...new Set(above.flatMap((one) => (one ? [thingOf(one)] : [])))] };
    });
    if (violations.length > 0) throw new AppError('validation-error', { violations });
    return things;
  }

  /** @throws {AppError} conflict */
  private async setCount(tenantId: TenantId, things: number): Promise<void> {
    const max = this.settings.LIMIT_THINGS;
    if (max !== null && things > max)
      throw new AppError('conflict', { reason: { id: 'thing.too-many', values: { max } } });
    await this.things.setCount(tenantId, things);
  }

  /**
   * Requires that no thing is above itself, or too deep. A new cycle, or a path that has become
   * longer, goes through one of the things that have moved.
   * @param moved edges that are gone or new
   * @throws {AppError} conflict
   */
  private async requireTree(
    tenantId: TenantId,
    things: readonly NewThing[],
    moved: readonly Edge[],
  ): Promise<void> {
    const names = things.map(({ thing }) => thing);
    const levels = levelsAbove(names, await this.parents.findParents(tenantId, names, false));
    requireDepth(levels);
    await this.setHeights(tenantId, [...names, ...moved.map(({ parent }) => parent)]);
    const heights = await this.things.findHeights(tenantId, names);
    requireDepth(new Map(names.map((one) => [one, (levels.get(one) ?? 0) + (heights.get(one) ?? 0)])));
  }

  /** Computes heights again, from these things upwards. There is no cycle. */
  private async setHeights(tenantId: TenantId, things: readonly string[]): Promise<void> {
    let level = things;
    while (level.length > 0) level = await this.things.setHeights(tenantId, level);
  }
}

/**
 * Counts the levels above things.
 * @param parents of the things, and of what is above them
 * @throws {AppError} conflict for a thing that is above itself, or has too much above it
 */
function levelsAbove(
  things: readonly string[],
  parents: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, number> {
  const levels = new Map<string, number>();
  const path = new Set<string>();
  const visit = (thing: string): number => {
    const known = levels.get(thing);
    if (known !== undefined) return known;
    if (path.has(thing)) throw new AppError('conflict', { reason: { id: 'thing.cycle', values: { thing } } });
    path.add(thing);
    const above = (parents.get(thing) ?? []).map((parent) => visit(parent) + 1);
    path.delete(thing);
    const level = Math.max(0, ...above);
    levels.set(thing, level);
    return level;
  };
  for (const thing of things) {
    visit(thing);
    const above = new Set([thing]);
    for (const one of above) for (const parent of parents.get(one) ?? []) above.add(parent);
    if (above.size > MAX_ABOVE + 1)
      throw new AppError('conflict', { reason: { id: 'thing.too-many-above', values: { max: MAX_ABOVE } } });
  }
  return levels;
}

/** @throws {AppError} conflict */
function requireDepth(levels: ReadonlyMap<string, number>): void {
  for (const [thing, level] of levels)
    if (level > MAX_DEPTH)
      throw new AppError('conflict', { reason: { id: 'thing.too-deep', values: { max: MAX_DEPTH, thing } } });
}

const eventOf = (what: 'registered' | 'removed', tenantId: TenantId, caller: Principal, thing: string) => ({
  actorId: caller.userId,
  tenantId,
  action: `thing.${what}`,
  subject: `access/things/${thing.slice(thing.lastIndexOf('/') + 1)}`,
  holderId: thing,
});
