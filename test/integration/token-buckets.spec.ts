import { randomBytes } from 'node:crypto';
import { readSettings } from '../../src/platform/config/settings.js';
import { Secret } from '../../src/platform/config/secret.js';
import { KeyDerivation } from '../../src/platform/crypto/key-derivation.js';
import { LocalBuckets } from '../../src/platform/rate-limit/buckets/local-buckets.js';
import { redisClient } from '../../src/platform/rate-limit/buckets/redis-client.js';
import { RedisBuckets } from '../../src/platform/rate-limit/buckets/redis-buckets.js';
import type { TokenBuckets } from '../../src/platform/rate-limit/buckets/token-buckets.js';
import { startFrozenRedis } from '../support/redis.js';
import { describeWith } from '../support/tools.js';

const START = Date.UTC(2026, 10, 21, 8);

interface Bench {
  readonly buckets: Pick<TokenBuckets, 'take'>;
  set(now: number): Promise<void>;
  stop(): Promise<void>;
}

/** Tests of every store of buckets. */
function holdsBuckets(open: () => Promise<Bench>): void {
  let bench: Bench;
  let now: number;
  let caller = 0;
  let key: string;
  beforeAll(async () => {
    bench = await open();
  });
  beforeEach(async () => {
    key = `caller ${(caller += 1)}`;
    await at(START);
  });
  afterAll(() => bench.stop());
  const at = (then: number): Promise<void> => bench.set((now = then));
  const take = async (limit = 10) => bench.buckets.take(key, limit);
  const burst = async (count: number, limit = 10) => {
    const states = [];
    for (let n = 0; n < count; n += 1) states.push(await take(limit));
    return states;
  };
  const passed = (states: { isBlocked: boolean }[]) => states.filter(({ isBlocked }) => !isBlocked).length;

  it('gives its size at once and then one token each interval', async () => {
    const states = await burst(12);
    expect(states.map(({ isBlocked }) => isBlocked)).toEqual([...Array<boolean>(10).fill(false), true, true]);
    expect(states.map(({ remaining }) => remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]);
    expect(states.at(-1)).toMatchObject({ timeToBlockExpire: 6, nextTokenAt: now + 6_000, limit: 10 });
    await at(now + 5_999);
    expect((await take()).isBlocked).toBe(true);
    await at(now + 1);
    expect((await take()).isBlocked).toBe(false);
    expect((await take()).isBlocked).toBe(true);
    await at(now + 60_000);
    expect(passed(await burst(12))).toBe(10);
  });

  it('reports when the next token is free', async () => {
    expect((await take()).nextTokenAt).toBe(now + 6_000);
    expect((await take()).nextTokenAt).toBe(now + 6_000);
  });

  it.each([1, 3, 5, 7, 30, 100, 120, 999, 1_000])('of size %i gives exactly that many', async (limit) => {
    const states = await burst(limit + 2, limit);
    expect(passed(states)).toBe(limit);
    expect(states.map(({ remaining }) => remaining)).toEqual([
      ...Array.from({ length: limit }, (_, n) => limit - n - 1),
      0,
      0,
    ]);
    await at(now + Math.ceil(60_000 / limit));
    expect(passed(await burst(2, limit))).toBe(1);
  });

  it('never evicts a bucket in use', async () => {
    await burst(10);
    let count = 0;
    for (let second = 0; second < 600; second += 1) {
      await at(now + 1_000);
      if (!(await take()).isBlocked) count += 1;
    }
    expect(count).toBe(100);
  });

  it('gives a refused caller a token after Retry-After', async () => {
    await burst(7, 7);
    const { timeToBlockExpire } = await take(7);
    await at(now + timeToBlockExpire * 1_000);
    expect((await take(7)).isBlocked).toBe(false);
  });

  it('is empty for one period at most when the clock is set back', async () => {
    await burst(10);
    await at(now - 300_000);
    expect(await take()).toMatchObject({ isBlocked: true, timeToBlockExpire: 6 });
    await at(now + 60_000);
    expect(passed(await burst(12))).toBe(10);
  });

  it('is full when the clock is set ahead', async () => {
    await burst(10);
    await at(now + 300_000);
    expect(passed(await burst(12))).toBe(10);
  });
}

describe('Token buckets in memory', () => {
  holdsBuckets(async () => {
    let now = 0;
    return {
      buckets: new LocalBuckets(() => now),
      set: async (then) => void (now = then),
      stop: async () => undefined,
    };
  });

  it('stay bounded under a million callers and evict those whose bucket is full', () => {
    let now = START;
    const buckets = new LocalBuckets(() => now);
    for (let n = 0; n < 1_000_000; n += 1) buckets.take(`caller ${n}`, 100);
    expect(buckets.size).toBeLessThanOrEqual(200_000);
    now += 120_000;
    buckets.take('one caller', 100);
    expect(buckets.size).toBe(1);
  });
});

describeWith(['redis-server', 'faketime'], 'Token buckets in Redis', () => {
  holdsBuckets(async () => {
    const { redis, clock, stop } = await startFrozenRedis(START);
    const { REDIS_URL } = readSettings({ REDIS_URL: `redis://127.0.0.1:${redis.port}` });
    if (!REDIS_URL) throw new Error('unreachable');
    const buckets = new RedisBuckets(redisClient(REDIS_URL), new KeyDerivation(new Secret(randomBytes(32))));
    await buckets.connect();
    return {
      buckets,
      set: (now) => clock.set(now),
      stop: async () => {
        buckets.disconnect();
        await stop();
      },
    };
  });
});
