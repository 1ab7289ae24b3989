import { setImmediate as settled } from 'node:timers/promises';
import { DueScan } from '../../src/platform/delivery/due-scan.js';

/** Longer than the test. */
const NEVER_MS = 600_000;

interface Receiver {
  readonly id: number;
  readonly isDue: boolean;
}

describe('The scan of due deliveries', () => {
  let scan: DueScan<Receiver>;
  /** Receivers with waiting deliveries. */
  let waiting: Receiver[];
  /** What was asked for: the receiver after which to begin, and the limit. */
  let asked: (readonly [after: number | null, limit: number])[];
  let found: number[][];
  /** Called at each look. */
  let looks: (after: number | null) => void;
  /** Results of the work before each scan, the next one first; false after them. */
  let work: boolean[];
  beforeEach(() => {
    [asked, found, looks, work] = [[], [], () => undefined, []];
    waiting = Array.from({ length: 1_100 }, (_, id) => ({ id, isDue: id % 2 === 0 }));
    scan = new DueScan<Receiver>({
      name: 'Test',
      pollMs: NEVER_MS,
      before: () => Promise.resolve(work.shift() ?? false),
      list: (after, limit) => {
        asked.push([after?.id ?? null, limit]);
        looks(after?.id ?? null);
        return Promise.resolve(waiting.filter(({ id }) => after === null || id > after.id).slice(0, limit));
      },
      found: (receivers) => void found.push(receivers.map(({ id }) => id)),
    });
  });
  afterEach(() => scan.stop());
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn += 1) await settled();
  };
  const run = async (): Promise<void> => {
    scan.wake();
    scan.start();
    await settle();
  };
  const begins = () => asked.map(([after]) => after);

  it('steps through all receivers, and finds those that have due deliveries', async () => {
    await run();
    expect(asked).toEqual([
      [null, 500],
      [499, 500],
      [999, 500],
    ]);
    expect(found.flat()).toEqual(waiting.filter(({ isDue }) => isDue).map(({ id }) => id));
    expect(found.map(({ length }) => length)).toEqual([250, 250, 50]);
  });

  it('waits after the last receiver, and begins with the first when it is woken', async () => {
    await run();
    scan.wake();
    await settle();
    expect(begins()).toEqual([null, 499, 999, null, 499, 999]);
  });

  it('begins again where there are none after a full step, or none at all', async () => {
    waiting = waiting.slice(0, 500);
    await run();
    waiting = [];
    scan.wake();
    await settle();
    expect(begins()).toEqual([null, 499, null]);
  });

  it('goes on to the last receiver, and then begins again, if it is woken during a later step', async () => {
    looks = (after) => {
      if (after === 499 && asked.length < 3) scan.wake();
    };
    await run();
    expect(begins()).toEqual([null, 499, 999, null, 499, 999]);
  });

  it('begins again if it is woken during its only step', async () => {
    waiting = waiting.slice(0, 3);
    looks = () => {
      if (asked.length === 1) scan.wake();
    };
    await run();
    expect(begins()).toEqual([null, null]);
  });

  it('repeats the work before it while there is more of it', async () => {
    waiting = [];
    work = [true, true, false];
    await run();
    expect([begins(), work]).toEqual([[null, null, null], []]);
  });

  it('looks without being woken, and no more after its end', async () => {
    await scan.stop();
    let scans = 0;
    const polling = new DueScan<Receiver>({
      name: 'Test',
      pollMs: 1,
      list: () => Promise.resolve(((scans += 1), [])),
      found: () => undefined,
    });
    polling.start();
    while (scans < 3) await settled();
    await polling.stop();
    const before = scans;
    polling.wake();
    await settle();
    expect(scans).toBe(before);
  });
});
