import type { LoadContext } from './ability-policy.decorator.js';
import { type AbilityRegistry, type Collection, NO_PARENTS } from './ability.registry.js';
import { parseSubject, parseThing, thingOf } from './subject.js';

/** Levels above an entity that are looked at. */
const MAX_DEPTH = 16;

/** An entity with its collection and id. */
export interface LoadedEntity {
  readonly collection: Collection;
  readonly id: string;
  readonly entity: unknown;
}

/**
 * Finds the things of which entities are parts, as the policies of their collections say (ADR 60).
 * Reads one level of all entities at a time, each by one statement for a collection, with the locks
 * of the context.
 * @returns for each entity itself and its ancestors, the nearest first, as {@link thingOf} spells
 *   them
 */
export async function findAncestors(
  registry: AbilityRegistry,
  entities: readonly LoadedEntity[],
  context: LoadContext,
): Promise<ReadonlyMap<unknown, readonly string[]>> {
  const parents = new Map<string, readonly string[]>();
  let level = entities;
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
    for (const { collection, id, entity } of level)
      parents.set(thingIn(collection, id), thingsOf(collection.parents(entity)));
    const above = new Set(level.flatMap(({ collection, id }) => parents.get(thingIn(collection, id)) ?? []));
    level = await load(
      registry,
      [...above].filter((thing) => !parents.has(thing)),
      context,
    );
  }
  return new Map(
    entities.map(({ collection, id, entity }) => [entity, closureOf(thingIn(collection, id), parents)]),
  );
}

const thingIn = ({ module, name }: Collection, id: string): string =>
  thingOf({ module, collection: name, id });

const thingsOf = (uris: readonly string[]): string[] =>
  uris.flatMap((uri) => {
    const subject = parseSubject(uri);
    return subject ? [thingOf(subject)] : [];
  });

/** Loads things that have parents, without things of collections that have none. */
async function load(
  registry: AbilityRegistry,
  things: readonly string[],
  context: LoadContext,
): Promise<LoadedEntity[]> {
  const found: LoadedEntity[] = [];
  const subjects = things.map(parseThing);
  const byCollection = Map.groupBy(subjects, (one) => registry.findCollection(one.module, one.collection));
  for (const [collection, ofCollection] of byCollection) {
    if (!collection || collection.parents === NO_PARENTS) continue;
    const ids = ofCollection.map(({ id }) => id);
    for (const [id, entity] of await collection.policy.load(ids, context))
      found.push({ collection, id, entity });
  }
  return found;
}

/** Lists a thing and what is above it, level by level. */
function closureOf(thing: string, parents: ReadonlyMap<string, readonly string[]>): string[] {
  const found = new Set([thing]);
  let level: readonly string[] = [thing];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    level = level.flatMap((one) => parents.get(one) ?? []).filter((one) => !found.has(one));
    for (const one of level) found.add(one);
  }
  return [...found];
}
