import { setImmediate as settled } from 'node:timers/promises';
import { Batches } from '../../src/webhook/engine/finished-deliveries.js';

describe('Batches', () => {
  /** Batches that were sent to the database, and what ends each. */
  let sent: string[][];
  let endings: { readonly resolve: (results: string[]) => void; readonly reject: (error: Error) => void }[];
  const write = (items: readonly string[]) => {
    sent.push([...items]);
    return new Promise<string[]>((resolve, reject) => endings.push({ resolve, reject }));
  };
  const end = (n: number) => endings[n]?.resolve((sent[n] ?? []).map((item) => `${item}!`));
  beforeEach(() => {
    [sent, endings] = [[], []];
  });

  it('are written at once, and together while another statement runs, each with its result', async () => {
    const batches = new Batches(write);
    const first = batches.add('a');
    const others = [batches.add('b'), batches.add('c')];
    expect(sent).toEqual([['a']]);
    end(0);
    expect(await first).toBe('a!');
    await settled();
    expect(sent).toEqual([['a'], ['b', 'c']]);
    end(1);
    expect(await Promise.all(others)).toEqual(['b!', 'c!']);
    await settled();
    const last = batches.add('d');
    end(2);
    expect(await last).toBe('d!');
  });

  it('share a statement with later ones after a pause', async () => {
    const batches = new Batches(write, 50);
    const first = batches.add('a');
    end(0);
    await first;
    // Within the turn of the event loop, so that no timer can end the pause.
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    const next = [batches.add('b'), batches.add('c')];
    expect(sent).toEqual([['a']]);
    while (sent.length < 2) await settled();
    expect(sent[1]).toEqual(['b', 'c']);
    end(1);
    await Promise.all(next);
  });

  it('are at most two hundred in a statement', async () => {
    const batches = new Batches(write);
    const all = Array.from({ length: 252 }, (_, n) => batches.add(String(n)));
    for (const n of [0, 1, 2]) {
      end(n);
      await settled();
    }
    await Promise.all(all);
    expect(sent.map(({ length }) => length)).toEqual([1, 200, 51]);
  });

  it('fail with their statement only', async () => {
    const batches = new Batches(write);
    const failing = batches.add('a');
    const other = batches.add('b');
    endings[0]?.reject(new Error('The database does not answer.'));
    await expect(failing).rejects.toThrow('The database does not answer.');
    await settled();
    end(1);
    await expect(other).resolves.toBe('b!');
  });

  it('are written one by one if their common statement fails', async () => {
    const batches = new Batches(write);
    const first = batches.add('a');
    const [failing, other] = [batches.add('b'), batches.add('c')];
    const refused = expect(failing).rejects.toThrow('It cannot be stored.');
    end(0);
    await first;
    await settled();
    endings[1]?.reject(new Error('It cannot be stored.'));
    await settled();
    expect(sent).toEqual([['a'], ['b', 'c'], ['b'], ['c']]);
    endings[2]?.reject(new Error('It cannot be stored.'));
    end(3);
    await refused;
    await expect(other).resolves.toBe('c!');
  });
});
