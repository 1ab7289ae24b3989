import { Logger } from '@nestjs/common';
import { BucketReplicas, expectShared, isShared, LIMIT, passing } from '../support/bucket-replicas.js';
import { RedisCluster, RedisSet } from '../support/redis.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

describeWith(['redis-server', 'redis-sentinel'], 'Token buckets of several replicas', () => {
  Logger.overrideLogger(false);
  const replicas = new BucketReplicas();
  let caller = 0;
  let key: string;
  beforeEach(() => {
    key = `ip:203.0.113.${(caller += 1)}`;
  });
  afterEach(() => replicas.end());

  it('are exact with Sentinels, also after the primary has failed', async () => {
    const set = await replicas.own(RedisSet.start());
    const all = await replicas.startPair(set.url);
    await expectShared(all, key);
    await set.nodes[0]?.kill();
    await passing(all, 2, key);
    expect(isShared(all)()).toBe(false);
    await eventually('a copy has taken over', isShared(all), 30_000);
    key = `${key}:new`;
    await expectShared(all, key);
  });

  it('are exact with Sentinels, also after another node has replaced a primary that goes on', async () => {
    const set = await replicas.own(RedisSet.start());
    const before = await replicas.start(set.url);
    await set.switchOver();
    const after = await replicas.start(set.url);
    let n = 0;
    const countTogether = async () =>
      (await passing([before, after], 2 * LIMIT, `${key}:${(n += 1)}`)) === LIMIT;
    await eventually('both count at the new primary', countTogether, 30_000);
    expect(await passing([before, after], 2 * LIMIT, key)).toBe(LIMIT);
  });

  it('are exact in a cluster, also after a node has failed', async () => {
    const cluster = await replicas.own(RedisCluster.start());
    const all = await replicas.startPair(cluster.url);
    await expectShared(all, key);
    await cluster.nodes[1]?.kill();
    await Promise.all(
      all.map((one) => Promise.all(Array.from({ length: 30 }, (_, n) => one.take(`${key}:${n}`, LIMIT)))),
    );
    expect(isShared(all)()).toBe(false);
    await cluster.nodes[1]?.restart();
    await eventually('the cluster is asked again', isShared(all), 30_000);
    key = `${key}:new`;
    await expectShared(all, key);
  });
});
