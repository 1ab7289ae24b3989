import { parseThing } from './subject.js';

/** Finds the ids of the things of a collection that are below the named ones, at any depth. */
export type FindBelow = (module: string, collection: string) => Promise<readonly string[]>;

/** On what a caller holds a scope: in the whole organization, or on single things. */
export class Accessible {
  private readonly ids: ReadonlyMap<string, readonly string[]> | null;
  private readonly below = new Map<string, Promise<readonly string[]>>();

  /**
   * @param things as `thingOf` spells them; null for everything of the organization
   * @param findBelow finds what other services have registered, and nothing for policies
   */
  constructor(
    readonly things: readonly string[] | null,
    private readonly findBelow: FindBelow = async () => [],
  ) {
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
   * Returns the ids of the things of a collection on which the scope is held. Of a collection of
   * this service: those that roles name, at most a thousand, as what is below them only its tables
   * know. Of another service's: also all that it has registered below them. Empty if
   * {@link isEverything}.
   */
  idsOf(module: string, collection: string): Promise<readonly string[]> {
    const key = `${module}/${collection}`;
    const known = this.below.get(key) ?? this.findIds(module, collection);
    this.below.set(key, known);
    return known;
  }

  private async findIds(module: string, collection: string): Promise<readonly string[]> {
    if (this.ids === null || this.isNothing) return [];
    const named = this.ids.get(`${module}/${collection}`) ?? [];
    return [...new Set([...named, ...(await this.findBelow(module, collection))])];
  }
}

function groupByCollection(things: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(things.map(parseThing), ({ module, collection }) => `${module}/${collection}`);
  return new Map([...groups].map(([collection, found]) => [collection, found.map(({ id }) => id)]));
}
