import type { TenantId } from '../kernel/index.js';
import type { LoadContext } from './ability-policy.decorator.js';
import type { AbilityRegistry } from './ability.registry.js';
import type { Ancestors, LoadedEntity } from './ancestors.js';
import type { HeldScopes } from './scopes/held-scopes.js';
import { parseThing } from './subject.js';

/** Things of other services that one statement lists. */
const LISTED_AT_ONCE = 10_000;
/** Entities of this service that are judged at once. */
const JUDGED_AT_ONCE = 1_000;

interface Page {
  readonly limit: number;
  readonly after: string | null;
}

/** Finds what other services have registered below things: {@link Ancestors}, from above. */
export class ThingsBelow {
  constructor(
    private readonly registry: AbilityRegistry,
    private readonly held: HeldScopes,
    private readonly ancestors: Ancestors,
  ) {}

  /**
   * Finds the registered things of a collection below things, at any depth, also where entities of
   * this service are between them.
   * @param things as `thingOf` spells them
   * @returns their ids; none for a collection of this service, whose entities are not registered
   */
  async findIds(
    context: LoadContext,
    things: readonly string[],
    module: string,
    name: string,
  ): Promise<readonly string[]> {
    const { tenantId } = context.principal;
    if (tenantId === null || this.registry.findCollection(module, name)) return [];
    const roots = [...things, ...(await this.findBetween(tenantId, context, things))];
    const found: string[] = [];
    const list = (page: Page) => this.held.things.listRegistered(tenantId, `${module}/${name}`, roots, page);
    for await (const page of pagesOf(LISTED_AT_ONCE, list)) found.push(...page);
    return found;
  }

  /**
   * Finds the entities of this service that are below things and above registered ones. Of what
   * they are parts only their policies say, so that each is judged as the decision does.
   */
  private async findBetween(
    tenantId: TenantId,
    context: LoadContext,
    things: readonly string[],
  ): Promise<readonly string[]> {
    const nested = this.registry.listNestedCollections();
    const named = new Set(things);
    const found: string[] = [];
    const list = (page: Page) => this.held.things.listParents(tenantId, nested, page);
    for await (const page of pagesOf(JUDGED_AT_ONCE, list)) {
      const lineages = await this.ancestors.find(await this.load(page, context), context);
      for (const { thing, above } of lineages.values())
        if (above.some((one) => named.has(one))) found.push(thing);
    }
    return found;
  }

  private async load(things: readonly string[], context: LoadContext): Promise<LoadedEntity[]> {
    const byCollection = Map.groupBy(things.map(parseThing), ({ module, collection }) =>
      this.registry.findCollection(module, collection),
    );
    const found: LoadedEntity[] = [];
    for (const [collection, subjects] of byCollection) {
      const ids = subjects.map(({ id }) => id);
      const entities = collection ? await collection.policy.load(ids, context) : [];
      for (const [id, entity] of entities) if (collection) found.push({ collection, id, entity });
    }
    return found;
  }
}

/** Reads a list in order, page by page. */
async function* pagesOf(
  limit: number,
  list: (page: Page) => Promise<readonly string[]>,
): AsyncGenerator<readonly string[]> {
  for (let after: string | null = null; ;) {
    const page = await list({ limit, after });
    yield page;
    if (page.length < limit) return;
    after = page.at(-1) ?? null;
  }
}
