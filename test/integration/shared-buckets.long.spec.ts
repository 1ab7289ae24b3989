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
import { RedisCluster, RedisSet } from '../support/redis.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const LIMIT = 20;
const secret = randomBytes(32);

describeWith(['redis-server', 'redis-sentinel'], 'Token buckets of several replicas', () => {
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

  it('are exact with Sentinels, also after the primary has failed', async () => {
    const set = await own(RedisSet.start());
    const all = await replicas(set.url);
    await expectShared(all);
    await set.nodes[0]?.kill();
    await passing(all, 2);
    expect(isShared(all)()).toBe(false);
    await eventually('a copy has taken over', isShared(all), 30_000);
    key = `${key}:new`;
    await expectShared(all);
  });

  it('are exact in a cluster, also after a node has failed', async () => {
    const cluster = await own(RedisCluster.start());
    const all = await replicas(cluster.url);
    await expectShared(all);
    await cluster.nodes[1]?.kill();
    await Promise.all(
      all.map((one) => Promise.all(Array.from({ length: 30 }, (_, n) => one.take(`${key}:${n}`, LIMIT)))),
    );
    expect(isShared(all)()).toBe(false);
    await cluster.nodes[1]?.restart();
    await eventually('the cluster is asked again', isShared(all), 15_000);
    key = `${key}:new`;
    await expectShared(all);
  });
});
