import { setImmediate as settled } from 'node:timers/promises';
import type { TenantId } from '../../src/kernel/index.js';
import type { Database } from '../../src/platform/database/index.js';
import type { DeliveryEngine, Target } from '../../src/platform/delivery/index.js';
import type { ChangeFeed } from '../../src/platform/live/index.js';
import type {
  Claim,
  ClaimsRepository,
  Position,
  Subscriber,
} from '../../src/webhook/engine/claims.repository.js';
import type { Deliverer, EventClaim } from '../../src/webhook/engine/deliverer.js';
import { Dispatcher } from '../../src/webhook/engine/dispatcher.js';

const positionOf = (endpointId: string): Position => ({ tenantId: 'T'.repeat(26) as TenantId, endpointId });
const receiverOf = (endpointId: string): Subscriber => ({ ...positionOf(endpointId), key: endpointId });

describe('The dispatcher of deliveries', () => {
  let dispatcher: Dispatcher;
  let engine: DeliveryEngine<Subscriber, EventClaim>;
  /** Notifications that were announced. */
  let notified: string[];
  /** Called when the transaction of an announcement commits. */
  let committed: () => void;
  let changed: (key: string) => void;
  /** Targets of each claim. */
  let asked: (readonly Target<Subscriber>[])[];
  /** Deliveries that are due, by subscription. */
  let due: Map<string, number>;
  let sent: { readonly endpointId: string; readonly end: (succeeded: boolean) => void }[];
  /** Whether the test has ended: what is still sent ends at once. */
  let isOver: boolean;
  beforeEach(() => {
    isOver = false;
    [notified, asked, due, sent] = [[], [], new Map(), []];
    const database = {
      afterCommit: (work: () => void) => (committed = work),
      transaction: (work: () => unknown) => work(),
    } as unknown as Database;
    const feed = {
      listen: (_: string, listener: { readonly changed: (key: string) => void }) => {
        changed = (key) => listener.changed(key);
      },
      announce: (_: string, ...keys: string[]) => Promise.resolve(void notified.push(...keys)),
      notify: (_: string, ...keys: string[]) => Promise.resolve(void notified.push(...keys)),
    } as unknown as ChangeFeed;
    const claim = (
      targets: readonly Target<Subscriber>[],
      { total }: { readonly total: number },
    ): Promise<Claim[]> => {
      asked.push(targets);
      const claims = targets.flatMap(({ tenantId, endpointId, key, isFailing, free }) => {
        const count = Math.min(free, due.get(endpointId) ?? 0);
        return Array.from({ length: count }, () => ({ tenantId, endpointId, key, isFailing }));
      });
      const taken = claims.slice(0, total);
      for (const { endpointId } of taken) due.set(endpointId, (due.get(endpointId) ?? 0) - 1);
      return Promise.resolve(taken as unknown as Claim[]);
    };
    const deliverer = {
      claim,
      deliver: ({ endpointId }: Claim) =>
        new Promise<boolean>((resolve) => {
          sent.push({ endpointId, end: resolve });
          if (isOver) resolve(true);
        }),
    } as unknown as Deliverer;
    const claims = {
      listWaiting: () => Promise.resolve([]),
      returnExpired: () => Promise.resolve(),
    } as unknown as ClaimsRepository;
    const step = { step: () => Promise.resolve(false) };
    dispatcher = new Dispatcher(database, feed, claims, deliverer, step as never, step as never);
    engine = (dispatcher as unknown as { readonly engine: DeliveryEngine<Subscriber, EventClaim> }).engine;
    dispatcher.onModuleInit();
    dispatcher.onApplicationBootstrap();
  });
  afterEach(async () => {
    isOver = true;
    for (const { end } of sent) end(true);
    await dispatcher.beforeApplicationShutdown();
  });
  const until = async (isReached: () => boolean): Promise<void> => {
    const end = performance.now() + 20_000;
    while (!isReached() && performance.now() < end) await settled();
    expect(isReached()).toBe(true);
  };
  const sentTo = (id: string) => sent.filter(({ endpointId }) => endpointId === id);
  const askedFor = (id: string) => asked.flat().filter(({ endpointId }) => endpointId === id);

  it('names subscriptions in notifications that fit, and claims for a hundred at a time', async () => {
    const ids = Array.from({ length: 250 }, (_, n) => String(n).padStart(26, '0'));
    await dispatcher.announce(ids.map(positionOf));
    expect(notified.map((key) => key.split(',').length)).toEqual([100, 100, 50]);
    expect(Math.max(...notified.map((key) => key.length))).toBeLessThan(8_000);
    notified.forEach((key) => changed(key.replace(/ \w+$/, '')));
    await until(() => asked.flat().length === 250);
    expect(asked.map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(asked.flat().map(({ endpointId }) => endpointId)).toEqual(ids);
  });

  it('claims after the commit, and not again for its own notification', async () => {
    await dispatcher.announce([positionOf('one')]);
    expect(asked).toEqual([]);
    committed();
    await until(() => asked.length === 1);
    notified.forEach((key) => changed(key));
    changed(`${'T'.repeat(26)} other`);
    changed(`${'T'.repeat(26)} last ${'M'.repeat(26)}`);
    await until(() => askedFor('last').length === 1);
    expect([askedFor('one').length, askedFor('other').length]).toEqual([1, 1]);
  });

  it('tells no other replica of a subscription that has not answered its first request', async () => {
    due.set('hangs', 2);
    engine.claimFor([receiverOf('hangs')]);
    await until(() => sent.length === 1);
    await dispatcher.announce([positionOf('hangs')]);
    committed();
    expect(notified).toEqual([]);
    sentTo('hangs')[0]?.end(true);
    await until(() => sent.length === 2);
    await dispatcher.announce([positionOf('hangs')]);
    expect(notified).toHaveLength(1);
  });

  it('claims for subscriptions that failed last as many as may be sent to', async () => {
    const ids = Array.from({ length: 400 }, (_, n) => String(n));
    const others = ['other-1', 'other-2'];
    for (const id of [...ids, ...others]) due.set(id, 1);
    const failing = ids.map((id) => ({ ...receiverOf(id), isFailing: true }));
    engine.claimFor(failing.slice(0, 50));
    await until(() => sent.length === 50);
    engine.claimFor(failing.slice(50));
    await until(() => sent.length >= 300);
    engine.claimFor(others.map(receiverOf));
    await until(() => sent.length === 302);
    expect(asked.flat().map(({ endpointId }) => endpointId)).toEqual([...ids.slice(0, 300), ...others]);
    for (const { end } of sent.slice(0, 20)) end(false);
    await until(() => sent.length === 322);
    expect(sent.slice(302).map(({ endpointId }) => endpointId)).toEqual(ids.slice(300, 320));
  });

  it.each<[string, number]>([
    ['no subscription', 0],
    ['more than a thousand', 1_001],
  ])('lets all be scanned after an announcement of %s', async (_, count) => {
    const scans = jest.spyOn(engine, 'scanAll');
    await dispatcher.announce(Array.from({ length: count }, (__, n) => positionOf(String(n))));
    expect(notified).toEqual(['']);
    notified.forEach((key) => changed(key));
    expect([scans.mock.calls.length, asked]).toEqual([1, []]);
  });

  it('claims nothing for a receiver that hangs, until its request ends', async () => {
    due.set('hangs', 3);
    engine.claimFor([receiverOf('hangs')]);
    await until(() => sent.length === 1);
    due.set('other', 1);
    engine.claimFor([receiverOf('hangs'), receiverOf('other')]);
    await until(() => sentTo('other').length === 1);
    expect([askedFor('hangs').length, sentTo('hangs').length]).toEqual([1, 1]);
    sentTo('hangs')[0]?.end(true);
    await until(() => sentTo('hangs').length === 3);
  });

  it('claims no more for a receiver whose deliveries have all been claimed', async () => {
    due.set('one', 1);
    engine.claimFor([receiverOf('one')]);
    await until(() => sent.length === 1);
    sent[0]?.end(true);
    await settled();
    due.set('one', 1);
    engine.claimFor([receiverOf('one')]);
    await until(() => sent.length === 2);
    sent[1]?.end(true);
    due.set('last', 1);
    await settled();
    engine.claimFor([receiverOf('last')]);
    await until(() => sentTo('last').length === 1);
    expect(askedFor('one').length).toBeLessThanOrEqual(3);
  });

  it('claims for the backlog of a receiver as its requests end', async () => {
    due.set('one', 7);
    engine.claimFor([receiverOf('one')]);
    await until(() => sent.length === 1);
    sent[0]?.end(true);
    await until(() => sent.length === 3);
    for (const { end } of sent) end(true);
    await until(() => sent.length === 7);
  });

  it('leaves the next delivery of a receiver that failed to a scan', async () => {
    due.set('fails', 2);
    engine.claimFor([receiverOf('fails')]);
    await until(() => sent.length === 1);
    sent[0]?.end(false);
    due.set('other', 2);
    engine.claimFor([receiverOf('other')]);
    await until(() => sentTo('other').length === 1);
    sentTo('other')[0]?.end(true);
    await until(() => sentTo('other').length === 2);
    expect(sentTo('fails')).toHaveLength(1);
    engine.claimFor([receiverOf('fails')]);
    await until(() => sentTo('fails').length === 2);
  });

  it('claims first for receivers that answered well last, but for room for others', async () => {
    const proven = Array.from({ length: 90 }, (_, n) => `proven-${n}`);
    for (const id of proven) due.set(id, 1);
    engine.claimFor(proven.map(receiverOf));
    await until(() => sent.length === 90);
    for (const { end } of sent) end(true);
    await until(() => asked.flat().length === 180); // for more of each, once more
    asked.length = 0;
    const others = Array.from({ length: 300 }, (_, n) => `other-${n}`);
    for (const id of [...proven, ...others]) due.set(id, 1);
    engine.claimFor([...others, ...proven].map(receiverOf));
    await until(() => asked.flat().length >= 390);
    const [first = []] = asked;
    expect(first.map(({ endpointId }) => endpointId)).toEqual([
      ...proven.slice(0, 75),
      ...others.slice(0, 25),
    ]);
  });

  it('gives the next subscriptions their turn while all untried requests are in use', async () => {
    const ids = Array.from({ length: 1_300 }, (_, n) => String(n));
    for (const id of ids) due.set(id, 1);
    engine.claimFor(ids.map(receiverOf));
    await until(() => sent.length === 1_200);
    expect(sent.map(({ endpointId }) => endpointId)).toEqual(ids.slice(0, 1_200));
    for (const { end } of sent.slice(0, 50)) end(false);
    await until(() => sent.length === 1_250);
    expect(sent.slice(1_200).map(({ endpointId }) => endpointId)).toEqual(ids.slice(1_200, 1_250));
  });
});
