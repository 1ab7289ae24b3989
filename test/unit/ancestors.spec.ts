import type { LoadContext } from '../../src/ability/ability-policy.decorator.js';
import type { AbilityRegistry } from '../../src/ability/ability.registry.js';
import type { Collection } from '../../src/ability/scope-declarations.js';
import { Ancestors } from '../../src/ability/ancestors.js';
import type { HeldScopes } from '../../src/ability/scopes/held-scopes.js';

const idOf = (n: number) => `01ARZ3NDEKTSV4RRFFQ6${String(n).padStart(6, '0')}`;
const thing = (n: number) => `freight/orders/${idOf(n)}`;

describe('What is above many things', () => {
  /** @param above number of things in a chain of eight levels above each entity */
  const find = (entities: number, above: number) => {
    const parents = new Map<string, string[]>();
    const ofLevel = Math.ceil(above / 8);
    const level = (n: number) => Array.from({ length: ofLevel }, (_, m) => thing(10_000 + n * ofLevel + m));
    // Each in another place: what is above things of one place is looked through once.
    for (let n = 0; n < entities; n += 1)
      parents.set(thing(n), [...level(0).slice(n % ofLevel), ...level(0).slice(0, n % ofLevel)]);
    for (let n = 0; n < 7; n += 1) for (const one of level(n)) parents.set(one, level(n + 1));
    const registry = { findCollectionOf: () => undefined } as unknown as AbilityRegistry;
    const held = { things: { findParents: () => Promise.resolve(parents) } } as unknown as HeldScopes;
    const context = { principal: { tenantId: 'T' }, lock: false } as unknown as LoadContext;
    const collection = { module: 'freight', name: 'orders' } as Collection;
    const loaded = Array.from({ length: entities }, (_, n) => ({ collection, id: idOf(n), entity: n }));
    return new Ancestors(registry, held).find(loaded, context);
  };
  /** Counts the turns of the event loop during some work. */
  const turnsOf = async (work: () => Promise<unknown>): Promise<number> => {
    let [turns, goes] = [0, true];
    const count = (): void => {
      turns += 1;
      if (goes) setImmediate(count);
    };
    setImmediate(count);
    await work();
    goes = false;
    return turns;
  };

  it('is found for each, the nearest first', async () => {
    const found = await find(2, 16);
    expect([...found.keys()]).toEqual([0, 1]);
    expect(found.get(1)?.thing).toBe(thing(1));
    expect(found.get(1)?.above).toHaveLength(16);
    expect(found.get(1)?.above.slice(0, 2)).toEqual([thing(10_001), thing(10_000)]);
  });

  it('is looked through in turns of the event loop, so that others need not wait for all', async () => {
    expect(await turnsOf(() => find(100, 800))).toBeGreaterThanOrEqual(7);
    expect(await turnsOf(() => find(10, 800))).toBeLessThan(7);
  });
});
