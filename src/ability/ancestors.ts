import type { LoadContext } from './ability-policy.decorator.js';
import { type AbilityRegistry, type Collection, NO_PARENTS } from './ability.registry.js';
import { parseSubject, thingOf } from './subject.js';

/** Levels above an entity that are looked at. */
const MAX_DEPTH = 16;

/**
 * Finds the things of which an entity is a part, as the policies of their collections say (ADR 60).
 * Reads one level at a time, each by one statement for a collection, with the locks of the context.
 * @returns the entity itself and its ancestors, as {@link thingOf} spells them
 */
export async function findAncestors(
  registry: AbilityRegistry,
  { collection, id }: { readonly collection: Collection; readonly id: string },
  entity: unknown,
  context: LoadContext,
): Promise<string[]> {
  const found = new Set([thingOf({ module: collection.module, collection: collection.name, id })]);
  let uris = collection.parents(entity);
  for (let depth = 0; depth < MAX_DEPTH && uris.length > 0; depth += 1) {
    const level = uris.flatMap((uri) => parseSubject(uri) ?? []).filter((one) => !found.has(thingOf(one)));
    for (const one of level) found.add(thingOf(one));
    const above: string[] = [];
    const byCollection = Map.groupBy(level, (one) => registry.findCollection(one.module, one.collection));
    for (const [parent, subjects] of byCollection) {
      if (!parent || parent.parents === NO_PARENTS) continue;
      const loaded = await parent.policy.load([...new Set(subjects.map((one) => one.id))], context);
      for (const one of loaded.values()) above.push(...parent.parents(one));
    }
    uris = above;
  }
  return [...found];
}
