import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis-6';
import { freePort } from './built-service.js';
import { clockFrom } from './clocks.js';
import { Program } from './program.js';
import { temporaryFolder } from './temporary-folder.js';
import { eventually } from './test-app.js';

/** A Redis on this machine, in memory only. @param options lines of its configuration */
export async function startRedis(
  options: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Program> {
  const port = await freePort();
  const lines = [`port ${port}`, 'bind 127.0.0.1', 'save ""', 'dir .', ...options];
  const files = { 'redis.conf': `${lines.join('\n')}\n` };
  return Program.start('redis-server', { args: ['redis.conf'], port, files, env });
}

/** Sends a command to a Redis that the service does not send. */
export async function askRedis<T>(port: number, ask: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis({ port, host: '127.0.0.1' });
  try {
    return await ask(redis);
  } finally {
    redis.disconnect();
  }
}

/** Time shown to a Redis started with {@link frozen}. */
export interface FrozenClock {
  /** Milliseconds since the epoch. */
  set(now: number): Promise<void>;
}

/** A Redis whose clock stops until the test sets it. */
export async function startFrozenRedis(
  now: number,
): Promise<{ redis: Program; clock: FrozenClock; stop(): Promise<void> }> {
  const folder = temporaryFolder('clock');
  const file = join(folder, 'now');
  const clock: FrozenClock = {
    set: async (ms) => {
      await writeFile(`${file}.new`, new Date(ms).toISOString().replace('T', ' ').replace('Z', ''));
      await rename(`${file}.new`, file);
    },
  };
  await clock.set(now);
  const redis = await startRedis([], {
    ...clockFrom(file),
  });
  const stop = async (): Promise<void> => {
    await redis.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { redis, clock, stop };
}

/** Options of a primary that Sentinels cannot make a replica, as one that they cannot reach. */
const FAITHFUL = ['rename-command SLAVEOF ""', 'rename-command REPLICAOF ""'];

/** A Redis with two replicas, and three Sentinels that promote one when the primary dies. */
export class RedisSet {
  private constructor(
    readonly nodes: readonly Program[],
    private readonly sentinels: readonly Program[],
  ) {}

  static async start(): Promise<RedisSet> {
    const primary = await startRedis(FAITHFUL);
    const copies = await Promise.all([1, 2].map(() => startRedis([`replicaof 127.0.0.1 ${primary.port}`])));
    const sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(primary.port)));
    const known = (): Promise<boolean> =>
      askRedis(sentinels[0]?.port ?? 0, async (sentinel) => {
        const state = (await sentinel.call('SENTINEL', 'MASTER', 'limits')) as string[];
        const is = (field: string) => state[state.indexOf(field) + 1];
        return is('num-slaves') === '2' && is('num-other-sentinels') === '2' && is('flags') === 'master';
      });
    await eventually('the Sentinels know each other', known);
    return new RedisSet([primary, ...copies], sentinels);
  }

  /** Has another node replace the primary, which goes on running and takes writes. */
  async switchOver(): Promise<void> {
    const [sentinel] = this.sentinels as [Program];
    const [primary] = this.nodes as [Program];
    await askRedis(sentinel.port, (redis) => redis.call('SENTINEL', 'FAILOVER', 'limits'));
    const isKnown = async ({ port }: Program): Promise<boolean> => {
      const ask = (redis: Redis) => redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'limits');
      const [, at] = (await askRedis(port, ask)) as [string, string];
      return at !== String(primary.port);
    };
    const all = async () => (await Promise.all(this.sentinels.map(isKnown))).every(Boolean);
    await eventually('the Sentinels know another primary', all, 30_000);
  }

  get url(): string {
    return `redis+sentinel://${this.sentinels.map(({ port }) => `127.0.0.1:${port}`).join()}/limits`;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.sentinels, ...this.nodes].map((program) => program.stop()));
  }
}

/** A Redis cluster of three nodes with a third of the keys each. */
export class RedisCluster {
  private constructor(readonly nodes: readonly Program[]) {}

  static async start(): Promise<RedisCluster> {
    const options = ['cluster-enabled yes', 'cluster-node-timeout 1000'];
    const nodes = await Promise.all([0, 1, 2].map(() => startRedis(options)));
    const [{ port }] = nodes as [Program];
    for (const [n, node] of nodes.entries()) {
      const [first, last] = [Math.floor((16_384 * n) / 3), Math.floor((16_384 * (n + 1)) / 3) - 1];
      await askRedis(node.port, async (redis) => {
        await redis.call('CLUSTER', 'ADDSLOTSRANGE', first, last);
        await redis.call('CLUSTER', 'MEET', '127.0.0.1', port);
      });
    }
    const whole = ({ port: at }: Program): Promise<boolean> =>
      askRedis(at, async (redis) =>
        /cluster_state:ok[^]*cluster_known_nodes:3/.test(await redis.cluster('INFO')),
      );
    for (const node of nodes) await eventually('the cluster is whole', () => whole(node), 20_000);
    return new RedisCluster(nodes);
  }

  get url(): string {
    return `redis+cluster://${this.nodes.map(({ port }) => `127.0.0.1:${port}`).join()}`;
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
  }
}

async function startSentinel(primaryPort: number): Promise<Program> {
  const port = await freePort();
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `sentinel monitor limits 127.0.0.1 ${primaryPort} 2`,
    'sentinel down-after-milliseconds limits 2000',
    'sentinel failover-timeout limits 6000',
  ];
  return Program.start('redis-sentinel', {
    args: ['sentinel.conf'],
    port,
    files: { 'sentinel.conf': `${lines.join('\n')}\n` },
  });
}
