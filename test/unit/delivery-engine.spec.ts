import { setImmediate as settled } from 'node:timers/promises';
import { DeliveryEngine } from '../../src/platform/delivery/index.js';

interface Receiver {
  readonly id: string;
  readonly group: string;
}

describe('An engine of deliveries', () => {
  let engine: DeliveryEngine<Receiver, Receiver>;
  let due: Receiver[];
  let sent: { readonly id: string; readonly end: (succeeded: boolean) => void }[];
  let aborted: string[];
  beforeEach(() => {
    [due, sent, aborted] = [[], [], []];
    engine = new DeliveryEngine<Receiver, Receiver>({
      name: 'Test',
      limits: { total: 100, unproven: 100, troubled: 100, each: 1, ofGroup: 2 },
      keyOf: ({ id, group }) => ({ key: id, group }),
      receiverOf: ({ id, group }) => ({ id, group }),
      claim: (targets) => {
        const claims = targets.flatMap(({ id, free }) =>
          due.filter((receiver) => receiver.id === id).slice(0, free),
        );
        due = due.filter((receiver) => !claims.includes(receiver));
        return Promise.resolve(claims);
      },
      isTroubled: () => false,
      mayBeFollowed: () => false,
      send: ({ id }, aborting) =>
        new Promise<boolean>((resolve) => {
          aborting.addEventListener('abort', () => {
            aborted.push(id);
            resolve(false);
          });
          sent.push({ id, end: resolve });
        }),
    });
    engine.start();
  });
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
    const receivers = ids.map((id) => ({ id, group: id.slice(0, 1) }));
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

  it('stops after its requests, and aborts those that last', async () => {
    add('a1', 'b1');
    await until(() => sent.length === 2);
    sent[0]?.end(true);
    await engine.stop();
    expect(aborted).toContain('b1');
  });
});
