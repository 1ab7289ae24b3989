import type { LoadContext } from './ability-policy.decorator.js';
import { type AbilityRegistry, type Collection, NO_PARENTS } from './ability.registry.js';
import type { HeldScopes } from './scopes/held-scopes.js';
import { parseSubject, parseThing, thingOf } from './subject.js';

/** Levels above an entity that are looked at. */
const MAX_DEPTH = 16;

/** An entity with its collection and id. */
export interface LoadedEntity {
  readonly collection: Collection;
  readonly id: string;
  readonly entity: unknown;
}

/** Parents of things, as `thingOf` spells them. */
export type Parents = ReadonlyMap<string, readonly string[]>;

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
   * @returns for each entity itself and its ancestors, the nearest first, as {@link thingOf} spells
   *   them
   * @throws {AppError} conflict if too much is above one thing
   */
  async find(
    entities: readonly LoadedEntity[],
    context: LoadContext,
    given: Parents = NOTHING,
  ): Promise<ReadonlyMap<unknown, readonly string[]>> {
    const walk: Walk = {
      context,
      given,
      loaded: new Map(entities.map(({ collection, id, entity }) => [thingIn(collection, id), entity])),
      registered: new Map(),
      parents: new Map(),
    };
    let level: readonly string[] = [...walk.loaded.keys()];
    for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
      await this.readParents(level, walk);
      const above = new Set(level.flatMap((thing) => walk.parents.get(thing) ?? []));
      level = [...above].filter((thing) => !walk.parents.has(thing));
    }
    return new Map(
      entities.map(({ collection, id, entity }) => [
        entity,
        closureOf(thingIn(collection, id), walk.parents),
      ]),
    );
  }

  /** Reads the parents of the things of a level, by one statement for a collection. */
  private async readParents(level: readonly string[], walk: Walk): Promise<void> {
    const { parents, loaded, context } = walk;
    const subjects = level.map(parseThing);
    const byCollection = Map.groupBy(subjects, (one) =>
      this.registry.findCollection(one.module, one.collection),
    );
    for (const [collection, ofCollection] of byCollection) {
      if (!collection) await this.readRegistered(ofCollection.map(thingOf), walk);
      else if (collection.parents === NO_PARENTS)
        for (const one of ofCollection) parents.set(thingOf(one), []);
      else {
        const missing = ofCollection.filter((one) => !loaded.has(thingOf(one))).map(({ id }) => id);
        for (const [id, entity] of await loadAbove(collection, missing, context))
          loaded.set(thingIn(collection, id), entity);
        for (const thing of ofCollection.map(thingOf))
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
      for (const thing of [...missing, ...[...found.values()].flat()]) registered.set(thing, []);
      for (const [thing, above] of found) registered.set(thing, above);
    }
    for (const thing of things) {
      const above = [...(given.get(thing) ?? []), ...(registered.get(thing) ?? [])];
      parents.set(thing, above);
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

const thingIn = ({ module, name }: Collection, id: string): string =>
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
  return policy.loadAbove ? policy.loadAbove(ids, context) : policy.load(ids, context);
}

/** Lists a thing and what is above it, level by level. */
function closureOf(thing: string, parents: Parents): string[] {
  const found = new Set([thing]);
  let level: readonly string[] = [thing];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    const above = new Set(level.flatMap((one) => parents.get(one) ?? []).filter((one) => !found.has(one)));
    for (const one of above) found.add(one);
    level = [...above];
  }
  return [...found];
}
