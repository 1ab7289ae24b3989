import { parseThing } from './subject.js';

/** On what a caller holds a scope: in the whole organization, or on single things. */
export class Accessible {
  private readonly ids: ReadonlyMap<string, readonly string[]> | null;

  /** @param things as `thingOf` spells them; null for everything of the organization */
  constructor(readonly things: readonly string[] | null) {
    this.ids = things && groupByCollection(things);
  }

  /** Whether the scope is held in the whole organization. */
  get isEverything(): boolean {
    return this.ids === null;
  }

  /** Whether the scope is held on nothing. */
  get isNothing(): boolean {
    return this.ids?.size === 0;
  }

  /**
   * Returns the ids of the things of a collection that name the scope themselves, at most a
   * thousand. Empty if {@link isEverything}.
   */
  idsOf(module: string, collection: string): readonly string[] {
    return this.ids?.get(`${module}/${collection}`) ?? [];
  }
}

function groupByCollection(things: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(things.map(parseThing), ({ module, collection }) => `${module}/${collection}`);
  return new Map([...groups].map(([collection, found]) => [collection, found.map(({ id }) => id)]));
}
