import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { LoadContext } from './ability-policy.decorator.js';
import { type AbilityRegistry, NO_PARENTS } from './ability.registry.js';
import type { Collection } from './scope-declarations.js';
import type { HeldScopes } from './scopes/held-scopes.js';
import { parseSubject, parseThing, thingOf } from './subject.js';

/** Levels above an entity that are looked at. */
const MAX_DEPTH = 16;
/**
 * Things that one turn of the event loop looks through, with eight parents each: a search asks for
 * what is above a thousand entities, of which each may have a thousand things above it.
 */
const MAX_THINGS_OF_TURN = 10_000;

/** An entity with its collection and id. */
export interface LoadedEntity {
  readonly collection: Collection;
  readonly id: string;
  readonly entity: unknown;
}

/** Parents of things, as `thingOf` spells them. */
export type Parents = ReadonlyMap<string, readonly string[]>;

/** A thing, and what is above it, the nearest first. Things in one place share the list. */
export interface Lineage {
  readonly thing: string;
  readonly above: readonly string[];
}

const NOTHING: Parents = new Map();

/** Finds of what things are parts (ADR 60, ADR 68). */
export class Ancestors {
  constructor(
    private readonly registry: AbilityRegistry,
    private readonly held: HeldScopes,
  ) {}

  /**
   * Finds the things of which entities are parts: as the policies of their collections say, and as
   * other services have registered. Goes up level by level; what a statement has read ahead is not
   * read again.
   * @param given further parents of other services' things
   * @returns for each entity itself and its ancestors, as {@link thingOf} spells them
   * @throws {AppError} conflict if too much is above one thing
   */
  async find(
    entities: readonly LoadedEntity[],
    context: LoadContext,
    given: Parents = NOTHING,
  ): Promise<ReadonlyMap<unknown, Lineage>> {
    const named = entities.map(({ collection, id, entity }) => [thingIn(collection, id), entity] as const);
    const walk: Walk = {
      context,
      given,
      loaded: new Map(named),
      registered: new Map(),
      parents: new Map(),
    };
    let level: readonly string[] = [...walk.loaded.keys()];
    for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
      await this.readParents(level, walk);
      const above = new Set(level.flatMap((thing) => walk.parents.get(thing) ?? []));
      level = [...above].filter((thing) => !walk.parents.has(thing));
    }
    const [found, aboves] = [new Map<unknown, Lineage>(), new Map<string, readonly string[]>()];
    let ofTurn = 0;
    for (const [thing, entity] of named) {
      const parents = walk.parents.get(thing) ?? [];
      const key = parents.join(' ');
      const known = aboves.get(key);
      const above = known ?? listAbove(parents, walk.parents);
      aboves.set(key, above); // of many things in one place once
      found.set(entity, { thing, above });
      ofTurn += known ? 0 : above.length;
      if (ofTurn <= MAX_THINGS_OF_TURN) continue;
      await endOfTurn();
      ofTurn = 0;
    }
    return found;
  }

  /** Reads the parents of the things of a level, by one statement for a collection. */
  private async readParents(level: readonly string[], walk: Walk): Promise<void> {
    const { parents, loaded, context } = walk;
    const byCollection = Map.groupBy(level, (thing) => this.registry.findCollectionOf(thing));
    for (const [collection, things] of byCollection) {
      if (!collection) await this.readRegistered(things, walk);
      else if (collection.parents === NO_PARENTS) for (const thing of things) parents.set(thing, []);
      else {
        const missing = things.filter((thing) => !loaded.has(thing)).map((thing) => parseThing(thing).id);
        for (const [id, entity] of await loadAbove(collection, missing, context))
          loaded.set(thingIn(collection, id), entity);
        for (const thing of things)
          parents.set(thing, loaded.has(thing) ? thingsOf(collection.parents(loaded.get(thing))) : []);
      }
    }
  }

  /** Reads everything above things of other services, at the first of them. */
  private async readRegistered(things: readonly string[], walk: Walk): Promise<void> {
    const { registered, parents, given, context } = walk;
    const { tenantId } = context.principal;
    const missing = things.filter((thing) => !registered.has(thing));
    if (missing.length > 0 && tenantId !== null) {
      const found = await this.held.things.findParents(tenantId, missing, context.lock);
      for (const thing of missing) registered.set(thing, []);
      for (const [thing, above] of found) registered.set(thing, above);
      // What is above, and has nothing above itself, was read as well.
      for (const above of found.values())
        for (const thing of above) if (!registered.has(thing)) registered.set(thing, []);
    }
    for (const thing of things) {
      const [named, above = []] = [given.get(thing), registered.get(thing)];
      parents.set(thing, named ? [...named, ...above] : above);
    }
  }
}

/** What is known in the course of one search. */
interface Walk {
  readonly context: LoadContext;
  readonly given: Parents;
  /** Entities of this service, also those that were read ahead. */
  readonly loaded: Map<string, unknown>;
  /** Parents of other services' things, also those that were read ahead. */
  readonly registered: Map<string, readonly string[]>;
  /** Parents of the things of the levels so far. */
  readonly parents: Map<string, readonly string[]>;
}

export const thingIn = ({ module, name }: Collection, id: string): string =>
  thingOf({ module, collection: name, id });

const thingsOf = (uris: readonly string[]): string[] =>
  uris.flatMap((uri) => {
    const subject = parseSubject(uri);
    return subject ? [thingOf(subject)] : [];
  });

/** Loads entities, and what is above them in the collection if its policy does so at once. */
async function loadAbove(
  { policy }: Collection,
  ids: readonly string[],
  context: LoadContext,
): Promise<ReadonlyMap<string, unknown>> {
  if (ids.length === 0) return new Map();
  const above = { ...context, isAbove: true };
  return policy.loadAbove ? policy.loadAbove(ids, above) : policy.load(ids, above);
}

/** Lists things of which one is a part, and what is above them, level by level. */
function listAbove(direct: readonly string[], parents: Parents): readonly string[] {
  const found = new Set(direct);
  let level: readonly string[] = [...found];
  for (let depth = 1; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    const above = new Set(level.flatMap((one) => parents.get(one) ?? []).filter((one) => !found.has(one)));
    for (const one of above) found.add(one);
    level = [...above];
  }
  return [...found];
}
