import { setImmediate as settled } from 'node:timers/promises';
import type { TenantId } from '../../src/kernel/index.js';
import type { EndpointRepository } from '../../src/webhook/endpoints/endpoint.repository.js';
import type { ClaimsRepository, Finish } from '../../src/webhook/engine/claims.repository.js';
import { Finishes } from '../../src/webhook/engine/finishes.js';

const finishOf = (id: string, error: string | null = null) => ({ claim: { id }, error }) as unknown as Finish;
const failedOf = (id: string) => finishOf(id, 'timeout');

describe('Finished deliveries', () => {
  /** Batches that were sent to the database, and what ends each. */
  let batches: string[][];
  let endings: { readonly resolve: (count: number) => void; readonly reject: (error: Error) => void }[];
  let finishes: Finishes;
  beforeEach(() => {
    [batches, endings] = [[], []];
    const claims = {
      finish: (batch: readonly Finish[]) => {
        batches.push(batch.map(({ claim }) => claim.id));
        return new Promise<number>((resolve, reject) => endings.push({ resolve, reject }));
      },
    } as unknown as ClaimsRepository;
    const endpoints = {
      noteFailures: (failed: readonly { readonly endpointId: string }[]) => {
        batches.push(failed.map(({ endpointId }) => endpointId));
        return Promise.resolve(failed.map(({ endpointId }) => endpointId === 'over'));
      },
    } as unknown as EndpointRepository;
    finishes = new Finishes(claims, endpoints);
  });

  it('are recorded at once, and together while another statement runs', async () => {
    const first = finishes.record(finishOf('a'));
    const others = [finishes.record(finishOf('b')), finishes.record(finishOf('c'))];
    expect(batches).toEqual([['a']]);
    endings[0]?.resolve(1);
    await first;
    await settled();
    expect(batches).toEqual([['a'], ['b', 'c']]);
    endings[1]?.resolve(2);
    await Promise.all(others);
    await settled();
    const last = finishes.record(finishOf('d'));
    endings[2]?.resolve(1);
    await last;
    expect(batches).toEqual([['a'], ['b', 'c'], ['d']]);
  });

  it('share statements with later ones if they failed, and no success waits for these', async () => {
    const first = finishes.record(failedOf('a'));
    const unanswered = finishes.record(finishOf('success'));
    expect(batches).toEqual([['a'], ['success']]);
    endings[1]?.resolve(1);
    await unanswered;
    endings[0]?.resolve(1);
    await first;
    // Within the turn of the event loop, so that no timer can end the pause.
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    const next = [finishes.record(failedOf('b')), finishes.record(failedOf('c'))];
    const success = finishes.record(finishOf('another'));
    expect(batches.slice(2)).toEqual([['another']]);
    endings[2]?.resolve(1);
    await success;
    while (batches.length < 4) await settled();
    expect(batches[3]).toEqual(['b', 'c']);
    endings[3]?.resolve(2);
    await Promise.all(next);
  });

  it('are at most two hundred in a statement', async () => {
    const all = Array.from({ length: 252 }, (_, n) => finishes.record(finishOf(String(n))));
    endings[0]?.resolve(1);
    await all[0];
    await settled();
    endings[1]?.resolve(200);
    await all[1];
    await settled();
    endings[2]?.resolve(51);
    await Promise.all(all);
    expect(batches.map(({ length }) => length)).toEqual([1, 200, 51]);
  });

  it('fail with their statement alone', async () => {
    const failing = finishes.record(finishOf('a'));
    const other = finishes.record(finishOf('b'));
    endings[0]?.reject(new Error('The database does not answer.'));
    await expect(failing).rejects.toThrow('The database does not answer.');
    await settled();
    endings[1]?.resolve(1);
    await expect(other).resolves.toBeUndefined();
  });

  it('count the failures of subscriptions together, each with its result', async () => {
    const failed = (endpointId: string) => ({ tenantId: 'tenant' as TenantId, endpointId });
    const all = ['first', 'over', 'other'].map((id) => finishes.noteFailure(failed(id)));
    expect(await Promise.all(all)).toEqual([false, true, false]);
    expect(batches).toEqual([['first'], ['over', 'other']]);
  });

  it('are recorded one by one if their common statement fails', async () => {
    const first = finishes.record(finishOf('a'));
    const [failing, other] = [finishes.record(finishOf('b')), finishes.record(finishOf('c'))];
    const refused = expect(failing).rejects.toThrow('It cannot be stored.');
    endings[0]?.resolve(1);
    await first;
    await settled();
    endings[1]?.reject(new Error('It cannot be stored.'));
    await settled();
    expect(batches).toEqual([['a'], ['b', 'c'], ['b'], ['c']]);
    endings[2]?.reject(new Error('It cannot be stored.'));
    endings[3]?.resolve(1);
    await refused;
    await expect(other).resolves.toBeUndefined();
  });
});
