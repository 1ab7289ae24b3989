import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { readSettings } from '../../src/platform/config/settings.js';
import { Secret } from '../../src/platform/config/secret.js';
import { KeyDerivation } from '../../src/platform/crypto/key-derivation.js';
import { Metrics } from '../../src/platform/observability/metrics.js';
import { LimitMetrics } from '../../src/platform/rate-limit/limit-metrics.js';
import { LocalBuckets } from '../../src/platform/rate-limit/buckets/local-buckets.js';
import { RedisBuckets } from '../../src/platform/rate-limit/buckets/redis-buckets.js';
import { redisClient } from '../../src/platform/rate-limit/buckets/redis-client.js';
import { SharedBuckets } from '../../src/platform/rate-limit/buckets/shared-buckets.js';
import type { Program } from '../support/program.js';
import { askRedis, startRedis } from '../support/redis.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const LIMIT = 20;
const secret = randomBytes(32);
/** AT-16 allows five seconds after Redis is reachable again, after a failover or restart. */
const BACK_MS = 5_000;

describeWith(['redis-server'], 'Token buckets of several replicas', () => {
  Logger.overrideLogger(false);
  const open: SharedBuckets[] = [];
  let caller = 0;
  let key: string;
  beforeEach(() => {
    key = `ip:203.0.113.${(caller += 1)}`;
  });
  const running: { stop(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const replica of open.splice(0)) replica.onApplicationShutdown();
    await Promise.all(running.splice(0).map((program) => program.stop()));
  });
  /** Ended after the test. */
  async function own<T extends { stop(): Promise<void> }>(start: Promise<T>): Promise<T> {
    const program = await start;
    running.push(program);
    return program;
  }

  async function replica(url: string): Promise<SharedBuckets> {
    const { REDIS_URL } = readSettings({ REDIS_URL: url });
    if (!REDIS_URL) throw new Error('There is no address.');
    const redis = new RedisBuckets(redisClient(REDIS_URL), new KeyDerivation(new Secret(secret)));
    const buckets = new SharedBuckets(redis, new LocalBuckets(), new LimitMetrics(new Metrics()));
    open.push(buckets);
    await buckets.onApplicationBootstrap();
    return buckets;
  }
  const replicas = (url: string) => Promise.all([replica(url), replica(url)]);
  const urlOf = ({ port }: Program) => `redis://127.0.0.1:${port}`;
  const isShared = (all: readonly SharedBuckets[]) => () => all.every(({ sharing }) => sharing === 'shared');

  /** Sends concurrent requests, spread over the replicas, and counts those that pass. */
  async function passing(all: readonly SharedBuckets[], count: number, of = key): Promise<number> {
    const asked = Array.from({ length: count }, (_, n) => all[n % all.length]?.take(of, LIMIT));
    return (await Promise.all(asked)).filter((state) => state?.isBlocked === false).length;
  }

  /** Checks exact counts for many callers, whichever node of a cluster stores their buckets. */
  async function expectShared(all: readonly SharedBuckets[]): Promise<void> {
    expect(all.map(({ sharing }) => sharing)).toEqual(all.map(() => 'shared'));
    const callers = Array.from({ length: 30 }, (_, n) => `${key}:${n}`);
    const counts = await Promise.all(callers.map((one) => passing(all, 3 * LIMIT, one)));
    expect(counts).toEqual(callers.map(() => LIMIT));
  }

  describe('on one Redis', () => {
    let redis: Program;
    beforeAll(async () => {
      redis = await startRedis();
    });
    afterAll(() => redis.stop());

    it('are exact', async () => {
      await expectShared(await replicas(urlOf(redis)));
    });

    it('store no caller in plain form, and no key once they are full', async () => {
      const [one] = await replicas(urlOf(redis));
      await askRedis(redis.port, (client) => client.flushall());
      await one?.take(key, LIMIT);
      const [name = '', ...others] = await askRedis(redis.port, (client) => client.keys('*'));
      expect(others).toEqual([]);
      expect(name).toMatch(/^gatehouse:rate:\{[\w-]{22}\}$/);
      expect(await askRedis(redis.port, (client) => client.pttl(name))).toBeGreaterThan(0);
      expect(await askRedis(redis.port, (client) => client.pttl(name))).toBeLessThanOrEqual(60_000 / LIMIT);
    });

    it('continue after Redis has lost the script', async () => {
      const all = await replicas(urlOf(redis));
      await passing(all, 4);
      await askRedis(redis.port, (client) => client.script('FLUSH'));
      expect(await passing(all, LIMIT)).toBe(LIMIT - 4);
      expect(isShared(all)()).toBe(true);
    });

    it('report the state of Redis to a caller whose tokens other replicas have taken', async () => {
      const [one, other] = (await replicas(urlOf(redis))) as [SharedBuckets, SharedBuckets];
      await passing([one], LIMIT);
      await passing([other], 5 * LIMIT); // refused, each of them
      await askRedis(redis.port, (client) => client.flushall());
      expect(await passing([other], LIMIT)).toBe(LIMIT);
    });
  });

  describe.each([
    ['is killed', (redis: Program) => redis.kill(), (redis: Program) => redis.restart()],
    ['hangs', async (redis: Program) => redis.pause(), async (redis: Program) => redis.resume()],
    [
      'is behind a network that drops every packet',
      async (_: Program, network: TcpProxy) => network.swallow(),
      (_: Program, network: TcpProxy) => network.mend(),
    ],
  ])('when Redis %s', (_how, breakIt, mendIt) => {
    let redis: Program;
    let network: TcpProxy;
    beforeEach(async () => {
      redis = await startRedis();
      network = await TcpProxy.to(urlOf(redis));
    });
    afterEach(async () => {
      await network.close();
      await redis.stop();
    });

    it('let at most the limit through each replica, before, during and after the failure in total', async () => {
      const all = await replicas(network.url);
      const began = performance.now();
      const before = await passing(all, LIMIT / 2);
      await breakIt(redis, network);
      const during = await passing(all, 4 * LIMIT);
      expect(all.map(({ sharing }) => sharing)).toEqual(['fallback', 'fallback']);
      await mendIt(redis, network);
      await eventually('Redis is asked again', isShared(all), BACK_MS);
      const afterwards = await passing(all, 4 * LIMIT);
      expect(before).toBe(LIMIT / 2);
      const earned = 2 * Math.ceil((performance.now() - began) / (60_000 / LIMIT));
      expect(before + during + afterwards).toBeLessThanOrEqual(2 * LIMIT + earned);
      expect(during).toBeGreaterThanOrEqual(LIMIT);
    });

    it('wait for one timeout only', async () => {
      const [one] = await replicas(network.url);
      await breakIt(redis, network);
      await one?.take(key, LIMIT);
      const began = performance.now();
      for (let n = 0; n < 200; n += 1) await one?.take(`${key}:${n}`, LIMIT);
      expect(performance.now() - began).toBeLessThan(500);
    });
  });

  it('fall back if Redis is down at the start, and share once it is up', async () => {
    const redis = await own(startRedis());
    await redis.kill();
    const all = await replicas(urlOf(redis));
    expect(all.map(({ sharing }) => sharing)).toEqual(['fallback', 'fallback']);
    expect(await passing(all, 4 * LIMIT)).toBe(2 * LIMIT);
    await redis.restart();
    await eventually('Redis is asked', isShared(all), BACK_MS);
    key = `${key}:new`;
    await expectShared(all);
  });

  it('authenticate, and use the database of the address', async () => {
    const redis = await own(
      startRedis([
        'user limits on >a-secret:with/signs ~gatehouse:rate:* +@connection +@scripting +get +set +time +info',
      ]),
    );
    const password = encodeURIComponent('a-secret:with/signs');
    await expectShared(await replicas(`redis://limits:${password}@127.0.0.1:${redis.port}/3`));
    expect(await askRedis(redis.port, (client) => client.dbsize())).toBe(0);
    const [stranger] = await replicas(`redis://limits:wrong@127.0.0.1:${redis.port}/3`);
    expect(stranger?.sharing).toBe('fallback');
  });
});
