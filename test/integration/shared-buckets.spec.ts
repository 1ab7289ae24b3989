import { Logger } from '@nestjs/common';
import { BucketReplicas, expectShared, isShared, LIMIT, passing } from '../support/bucket-replicas.js';
import type { Program } from '../support/program.js';
import { askRedis, startRedis } from '../support/redis.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

/** AT-16 allows five seconds after Redis is reachable again, after a failover or restart. */
const BACK_MS = 5_000;

describeWith(['redis-server'], 'Token buckets of several replicas', () => {
  Logger.overrideLogger(false);
  const replicas = new BucketReplicas();
  let caller = 0;
  let key: string;
  beforeEach(() => {
    key = `ip:203.0.113.${(caller += 1)}`;
  });
  afterEach(() => replicas.end());
  const urlOf = ({ port }: Program) => `redis://127.0.0.1:${port}`;

  describe('on one Redis', () => {
    let redis: Program;
    beforeAll(async () => {
      redis = await startRedis();
    });
    afterAll(() => redis.stop());

    it('are exact', async () => {
      await expectShared(await replicas.startPair(urlOf(redis)), key);
    });

    it('store no caller in plain form, and no key once they are full', async () => {
      const one = await replicas.start(urlOf(redis));
      await askRedis(redis.port, (client) => client.flushall());
      await one.take(key, LIMIT);
      const [name = '', ...others] = await askRedis(redis.port, (client) => client.keys('*'));
      expect(others).toEqual([]);
      expect(name).toMatch(/^gatehouse:rate:\{[\w-]{22}\}$/);
      expect(await askRedis(redis.port, (client) => client.pttl(name))).toBeGreaterThan(0);
      expect(await askRedis(redis.port, (client) => client.pttl(name))).toBeLessThanOrEqual(60_000 / LIMIT);
    });

    it('continue after Redis has lost the script', async () => {
      const all = await replicas.startPair(urlOf(redis));
      await passing(all, 4, key);
      await askRedis(redis.port, (client) => client.script('FLUSH'));
      expect(await passing(all, LIMIT, key)).toBe(LIMIT - 4);
      expect(isShared(all)()).toBe(true);
    });

    it('report the state of Redis to a caller whose tokens other replicas have taken', async () => {
      const [one, other] = await replicas.startPair(urlOf(redis));
      await passing([one], LIMIT, key);
      await passing([other], 5 * LIMIT, key); // refused, each of them
      await askRedis(redis.port, (client) => client.flushall());
      expect(await passing([other], LIMIT, key)).toBe(LIMIT);
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
      const all = await replicas.startPair(network.url);
      const began = performance.now();
      const before = await passing(all, LIMIT / 2, key);
      await breakIt(redis, network);
      const during = await passing(all, 4 * LIMIT, key);
      expect(all.map(({ sharing }) => sharing)).toEqual(['fallback', 'fallback']);
      await mendIt(redis, network);
      await eventually('Redis is asked again', isShared(all), BACK_MS);
      const afterwards = await passing(all, 4 * LIMIT, key);
      expect(before).toBe(LIMIT / 2);
      const earned = 2 * Math.ceil((performance.now() - began) / (60_000 / LIMIT));
      expect(before + during + afterwards).toBeLessThanOrEqual(2 * LIMIT + earned);
      expect(during).toBeGreaterThanOrEqual(LIMIT);
    });

    it('wait for one timeout only', async () => {
      const one = await replicas.start(network.url);
      await breakIt(redis, network);
      await one.take(key, LIMIT);
      const began = performance.now();
      for (let n = 0; n < 200; n += 1) await one.take(`${key}:${n}`, LIMIT);
      expect(performance.now() - began).toBeLessThan(500);
    });
  });

  it('fall back if Redis is down at the start, and share once it is up', async () => {
    const redis = await replicas.own(startRedis());
    await redis.kill();
    const all = await replicas.startPair(urlOf(redis));
    expect(all.map(({ sharing }) => sharing)).toEqual(['fallback', 'fallback']);
    expect(await passing(all, 4 * LIMIT, key)).toBe(2 * LIMIT);
    await redis.restart();
    await eventually('Redis is asked', isShared(all), BACK_MS);
    key = `${key}:new`;
    await expectShared(all, key);
  });

  it('authenticate, and use the database of the address', async () => {
    const redis = await replicas.own(
      startRedis([
        'user limits on >a-secret:with/signs ~gatehouse:rate:* +@connection +@scripting +get +set +time +info',
      ]),
    );
    const password = encodeURIComponent('a-secret:with/signs');
    await expectShared(await replicas.startPair(`redis://limits:${password}@127.0.0.1:${redis.port}/3`), key);
    expect(await askRedis(redis.port, (client) => client.dbsize())).toBe(0);
    const stranger = await replicas.start(`redis://limits:wrong@127.0.0.1:${redis.port}/3`);
    expect(stranger.sharing).toBe('fallback');
  });
});
