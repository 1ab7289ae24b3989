/** @service separate */
import { setImmediate as settled } from 'node:timers/promises';
import { DeliveryEngine } from '../../src/platform/delivery/index.js';

/** Number of pauses. */
let mockPauses = 0;
jest.mock('node:timers/promises', () => {
  const actual = jest.requireActual<typeof import('node:timers/promises')>('node:timers/promises');
  return {
    ...actual,
    setTimeout: (...words: Parameters<typeof actual.setTimeout>) => {
      mockPauses += 1;
      return actual.setTimeout(...words);
    },
  };
});

interface Receiver {
  readonly key: string;
  readonly group: string;
  readonly isFailing?: boolean;
}

describe('An engine of deliveries', () => {
  let engine: DeliveryEngine<Receiver, Receiver>;
  let due: Receiver[];
  let sent: { readonly id: string; readonly end: (succeeded: boolean) => void }[];
  let aborted: string[];
  /** Delays the end of claims. */
  let claiming: Promise<void>;
  /** Keys of the receivers that each claim asked for. */
  let claimsOf: string[][];
  /** @param each requests to one receiver */
  const start = (each: number): void => {
    [due, sent, aborted, claiming, claimsOf] = [[], [], [], Promise.resolve(), []];
    engine = new DeliveryEngine<Receiver, Receiver>({
      name: 'Test',
      limits: { total: 1_000, untried: 100, failing: 2, each, ofGroup: 2 },
      scanMs: 60_000,
      list: () => Promise.resolve([]),
      claim: (targets) => {
        claimsOf.push(targets.map(({ key }) => key));
        const claims = targets.flatMap(({ key, free }) =>
          due.filter((receiver) => receiver.key === key).slice(0, free),
        );
        due = due.filter((receiver) => !claims.includes(receiver));
        return claiming.then(() => claims);
      },
      send: ({ key: id }, aborting) =>
        new Promise<boolean>((resolve) => {
          aborting.addEventListener('abort', () => {
            aborted.push(id);
            resolve(false);
          });
          sent.push({ id, end: resolve });
        }),
    });
    engine.start();
  };
  beforeEach(() => start(1));
  afterEach(async () => {
    for (const { end } of sent) end(true);
    await engine.stop();
  });
  const until = async (isReached: () => boolean): Promise<void> => {
    const end = performance.now() + 20_000;
    while (!isReached() && performance.now() < end) await settled();
    expect(isReached()).toBe(true);
  };
  const add = (...ids: string[]): void => {
    const receivers = ids.map((id) => ({ key: id, group: id.slice(0, 1) }));
    due.push(...receivers);
    engine.claimFor(receivers);
  };
  const sentIds = () => sent.map(({ id }) => id);

  it('sends to a few receivers of a group at a time, and to the next as one ends', async () => {
    add('a1', 'a2', 'a3', 'a4', 'b1');
    await until(() => sent.length === 3);
    expect(sentIds()).toEqual(['a1', 'a2', 'b1']);
    sent[0]?.end(false);
    await until(() => sent.length === 4);
    expect(sentIds()[3]).toBe('a3');
    sent[1]?.end(true);
    await until(() => sent.length === 5);
    expect(sentIds()[4]).toBe('a4');
  });

  it('sends one at a time to a receiver, and the next after a success', async () => {
    add('a1', 'a1', 'b1');
    await until(() => sent.length === 2);
    expect(sentIds()).toEqual(['a1', 'b1']);
    sent[0]?.end(true);
    await until(() => sent.length === 3);
    expect(sentIds()[2]).toBe('a1');
  });

  it('sends to a few receivers whose last attempt failed at a time, as a claim tells it', async () => {
    const failing = ['a1', 'b1', 'c1', 'd1'].map((key) => ({ key, group: key, isFailing: true }));
    due.push(...failing);
    engine.claimFor(failing.slice(0, 1).map(({ key, group }) => ({ key, group })));
    await until(() => sent.length === 1);
    engine.claimFor(failing.slice(1));
    await until(() => sent.length === 2);
    add('e1');
    await until(() => sent.length === 3);
    expect(sentIds()).toEqual(['a1', 'b1', 'e1']);
    sent[0]?.end(true);
    await until(() => sent.length === 4);
    expect(sentIds()[3]).toBe('c1');
  });

  it('claims for a hundred receivers at once, of which 25 may be untried while others have answered', async () => {
    await engine.stop();
    start(2);
    const receivers = Array.from({ length: 120 }, (_, n) => ({ key: `a${n}`, group: `a${n}` }));
    engine.claimFor(receivers);
    await until(() => claimsOf.length === 2);
    expect(claimsOf.map((keys) => keys.length)).toEqual([100, 20]);
    due.push(...receivers.slice(0, 80));
    engine.claimFor(receivers.slice(0, 80));
    await until(() => sent.length === 80);
    claimsOf = [];
    for (const { end } of sent) end(true);
    await until(() => claimsOf.flat().length === 80); // for more of those that have answered
    claimsOf = [];
    engine.claimFor([...receivers.slice(80), ...receivers.slice(0, 80)]);
    await until(() => claimsOf.length === 2);
    const [first = []] = claimsOf;
    expect(first.slice(0, 75)).toEqual(receivers.slice(0, 75).map(({ key }) => key));
    expect(first.slice(75)).toEqual(receivers.slice(80, 105).map(({ key }) => key));
  });

  it('pauses before requests to untried receivers while many have not answered', async () => {
    mockPauses = 0;
    const addEach = (count: number, from: string): void => {
      const receivers = Array.from({ length: count }, (_, n) => ({ key: from + n, group: from + n }));
      due.push(...receivers);
      engine.claimFor(receivers);
    };
    addEach(60, 'a');
    await until(() => sent.length === 60);
    expect(mockPauses).toBe(10);
    for (const { end } of sent) end(false);
    addEach(50, 'b');
    await until(() => sent.length === 110);
    expect(mockPauses).toBe(10);
    addEach(2, 'c');
    await until(() => sent.length === 112);
    expect(mockPauses).toBe(12);
  });

  it('stops after its requests, and aborts those that last', async () => {
    add('a1', 'b1');
    await until(() => sent.length === 2);
    sent[0]?.end(true);
    await engine.stop();
    expect(aborted).toContain('b1');
  });

  it('claims nothing once it is told to stop, for what waits or has room by an answer', async () => {
    add('a1', 'a1', 'a1', 'b1');
    await until(() => sent.length === 2);
    const stopping = engine.stop();
    add('c1');
    for (const { end } of sent) end(true);
    await stopping;
    for (let turn = 0; turn < 50; turn += 1) await settled();
    expect(sentIds()).toEqual(['a1', 'b1']);
    expect(due.map(({ key }) => key)).toEqual(['a1', 'a1', 'c1']);
  });

  it('pauses no more once it is told to stop', async () => {
    mockPauses = 0;
    const receivers = Array.from({ length: 60 }, (_, n) => ({ key: `a${n}`, group: `a${n}` }));
    due.push(...receivers);
    engine.claimFor(receivers);
    await until(() => due.length === 0 && sent.length > 0);
    const stopping = engine.stop();
    await until(() => sent.length === 60);
    expect(mockPauses).toBe(0);
    for (const { end } of sent) end(true);
    await stopping;
  });

  it('sends to a receiver that answered well at once, and to another in a turn of its own', async () => {
    await engine.stop();
    start(2);
    const sendTo = (id: string): void => {
      const receiver = { key: id, group: id };
      engine.reserve(receiver)?.send(receiver);
    };
    sendTo('a1');
    expect(sentIds()).toEqual([]);
    await until(() => sent.length === 1);
    sent[0]?.end(true);
    await settled();
    sendTo('b1');
    sendTo('a1');
    expect(sentIds()).toEqual(['a1', 'a1']);
    await until(() => sent.length === 3);
    expect(sentIds()[2]).toBe('b1');
  });

  describe('with slots for deliveries that need no claim', () => {
    const receiverOf = (id: string): Receiver => ({ key: id, group: id.slice(0, 1) });
    const reserve = (id: string) => engine.reserve(receiverOf(id));

    it('sends with the slot, and has none beyond the bounds of receiver and group', async () => {
      const first = reserve('a1');
      expect(reserve('a1')).toBeNull();
      first?.send(receiverOf('a1'));
      expect(reserve('a1')).toBeNull();
      const second = reserve('a2');
      expect([second === null, reserve('a3')]).toEqual([false, null]);
      second?.cancel();
      await until(() => sent.length === 1);
      sent[0]?.end(true);
      let again: ReturnType<typeof reserve> = null;
      await until(() => (again ??= reserve('a1')) !== null);
      (again as ReturnType<typeof reserve>)?.cancel();
    });

    it('frees a slot that is not used, and claims for what waited for it', async () => {
      const slot = reserve('a1');
      add('a1', 'b1');
      await until(() => sent.length === 1);
      slot?.cancel();
      await until(() => sent.length === 2);
      expect(sentIds()).toEqual(['b1', 'a1']);
    });

    it('has none for a receiver that has earlier deliveries to claim', async () => {
      const claimed = Promise.withResolvers<void>();
      claiming = claimed.promise;
      add('a1');
      expect(reserve('a1')).toBeNull();
      await until(() => due.length === 0);
      expect(reserve('a1')).toBeNull();
      reserve('b1')?.send(receiverOf('b1'));
      await until(() => sent.length === 1);
      claimed.resolve();
      await until(() => sent.length === 2);
    });

    it('has none for a receiver between the end of its claim and what the claim leaves', async () => {
      const claimed = Promise.withResolvers<void>();
      claiming = claimed.promise;
      add('a1', 'a1');
      await until(() => due.length === 1);
      claimed.resolve();
      let given = 0;
      for (let turn = 0; turn < 50; turn += 1) {
        await Promise.resolve();
        const slot = reserve('a1');
        if (slot) given += 1;
        slot?.cancel();
      }
      due = [];
      expect(given).toBe(0);
    });

    it('stops when all slots are used or free, and has no more then', async () => {
      const [used, unused] = [reserve('a1'), reserve('b1')];
      let hasStopped = false;
      const stopping = engine.stop().then(() => (hasStopped = true));
      await settled();
      expect([reserve('c1'), hasStopped]).toEqual([null, false]);
      used?.send(receiverOf('a1'));
      unused?.cancel();
      await until(() => sent.length === 1);
      expect(hasStopped).toBe(false);
      sent[0]?.end(true);
      await stopping;
    });
  });
});
