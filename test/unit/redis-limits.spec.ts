/** @service separate */
import { Logger } from '@nestjs/common';
import { readSettings } from '../../src/platform/config/settings.js';
import { Secret } from '../../src/platform/config/secret.js';
import { KeyDerivation } from '../../src/platform/crypto/index.js';
import type { LimitMetrics } from '../../src/platform/rate-limit/limit-metrics.js';
import { LocalBuckets } from '../../src/platform/rate-limit/buckets/local-buckets.js';
import { RedisBuckets } from '../../src/platform/rate-limit/buckets/redis-buckets.js';
import { type RedisClient, redisClient } from '../../src/platform/rate-limit/buckets/redis-client.js';
import { SharedBuckets } from '../../src/platform/rate-limit/buckets/shared-buckets.js';

const MICROSECONDS = 60_000_000;
const NOW = Date.UTC(2026, 10, 24, 8) * 1_000;
const keys = new KeyDerivation(new Secret(Buffer.alloc(32, 1)));

/** A Redis that gives or refuses tokens, fails, or does not answer. */
class Redis implements RedisClient {
  status = 'ready';
  answer: 'takes' | 'refuses' | 'fails' | 'hangs' = 'takes';
  connects: 'at once' | 'never' | 'fails' = 'at once';
  readonly asked: [key: string, interval: number, period: number][] = [];
  disconnected = 0;
  private report: (error: Error) => void = () => undefined;

  takeToken(...asked: [string, number, number]): Promise<[number, number, number]> {
    this.asked.push(asked);
    if (this.answer === 'hangs') return new Promise(() => undefined);
    if (this.answer === 'fails') return Promise.reject(new Error('OOM'));
    return Promise.resolve(this.answer === 'takes' ? [1, asked[1], NOW] : [0, MICROSECONDS, NOW]);
  }

  connect(): Promise<void> {
    if (this.connects === 'never') return new Promise(() => undefined);
    return this.connects === 'fails' ? Promise.reject(new Error('refused')) : Promise.resolve();
  }

  disconnect(): void {
    this.disconnected += 1;
  }

  on(_: 'error', listener: (error: Error) => void): void {
    this.report = listener;
  }

  loseConnection(message: string): void {
    this.report(new Error(message));
  }
}

let redis: Redis;
let inRedis: RedisBuckets;
beforeEach(() => {
  jest.useFakeTimers();
  redis = new Redis();
  inRedis = new RedisBuckets(redis, keys);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('A bucket in Redis', () => {
  it('has the state that the script returns', async () => {
    expect(await inRedis.take('ada', 10)).toMatchObject({ isBlocked: false, remaining: 9 });
    redis.answer = 'refuses';
    expect(await inRedis.take('ada', 10)).toMatchObject({
      isBlocked: true,
      remaining: 0,
      timeToBlockExpire: 6,
      nextTokenAt: NOW / 1_000 + 6_000,
    });
    expect(redis.asked.map(([, ...times]) => times)).toEqual([
      [6_000_000, MICROSECONDS],
      [6_000_000, MICROSECONDS],
    ]);
  });

  it('has a name of its own, which does not tell the caller; a probe beside it takes no token', async () => {
    await inRedis.take('ada', 10);
    await inRedis.take('grace', 10);
    await inRedis.probe('ada');
    const [ada = '', grace, probe] = redis.asked.map(([key]) => key);
    expect(ada).toMatch(/^gatehouse:rate:\{[\w-]{22}\}$/);
    expect(grace).not.toBe(ada);
    expect(probe).toBe(`${ada}:probe`);
  });

  it('is not asked for without a connection', async () => {
    redis.status = 'reconnecting';
    await expect(inRedis.take('ada', 10)).rejects.toThrow('Redis is not connected.');
    expect(redis.asked).toEqual([]);
  });

  it('is waited for half a second, in parts', async () => {
    redis.answer = 'hangs';
    const failed = jest.fn();
    inRedis.take('ada', 10).catch((error: Error) => failed(error.message));
    await jest.advanceTimersByTimeAsync(499);
    expect(failed).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(failed).toHaveBeenCalledWith('Redis did not respond.');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('leaves no timer behind once it has answered', async () => {
    await inRedis.take('ada', 10);
    expect(jest.getTimerCount()).toBe(0);
    redis.answer = 'fails';
    await expect(inRedis.take('ada', 10)).rejects.toThrow('OOM');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('keeps the last error of the connection until a probe succeeds', async () => {
    redis.loseConnection('ECONNREFUSED');
    expect(inRedis.lastError).toBe('ECONNREFUSED');
    await inRedis.take('ada', 10);
    expect(inRedis.lastError).toBe('ECONNREFUSED');
    await inRedis.probe('ada');
    expect(inRedis.lastError).toBe('');
  });
});

describe('Shared buckets', () => {
  let shared: SharedBuckets;
  let fallbacks: number;
  let said: string[];
  beforeEach(() => {
    fallbacks = 0;
    said = [];
    const metrics = { countFallback: () => (fallbacks += 1) } as unknown as LimitMetrics;
    shared = new SharedBuckets(inRedis, new LocalBuckets(), metrics);
    jest.spyOn(Logger.prototype, 'log').mockImplementation((text: string) => said.push(text));
    jest
      .spyOn(Logger.prototype, 'warn')
      .mockImplementation(({ reason }: { reason: string }, text: string) =>
        said.push(`${reason}: ${text.slice(0, 20)}`),
      );
  });
  const SHARES = 'The rate limits are shared through Redis.';
  const away = (reason: string) => `${reason}: Redis is unavailable`;
  const beat = () => jest.advanceTimersByTimeAsync(1_000);

  it('are those of this replica until Redis has answered', async () => {
    expect(shared.sharing).toBe('fallback');
    expect(await shared.take('ada', 10)).toMatchObject({ remaining: 9 });
    expect([fallbacks, redis.asked]).toEqual([1, []]);
    await shared.onApplicationBootstrap();
    expect(shared.sharing).toBe('shared');
    await shared.take('ada', 10);
    expect([fallbacks, redis.asked.length]).toEqual([1, 2]);
  });

  it('let the service start without Redis: after its refusal at once, else after two seconds', async () => {
    redis.connects = 'fails';
    redis.status = 'connecting';
    await shared.onApplicationBootstrap();
    expect(said).toEqual([away('Redis is not connected.')]);
    redis.connects = 'never';
    const started = jest.fn();
    void shared.onApplicationBootstrap().then(started);
    await jest.advanceTimersByTimeAsync(1_999);
    expect(started).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(started).toHaveBeenCalled();
    expect(shared.sharing).toBe('fallback');
  });

  it('keep no process alive that ends while it waits for Redis', () => {
    jest.useRealTimers();
    redis.connects = 'never';
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    void shared.onApplicationBootstrap();
    expect(timers()).toBe(before);
    shared.onApplicationShutdown();
  });

  it('are refused by this replica alone once its own bucket is empty', async () => {
    await shared.onApplicationBootstrap();
    for (let n = 0; n < 3; n += 1) await shared.take('ada', 2);
    expect(redis.asked.filter(([key]) => !key.endsWith(':probe'))).toHaveLength(2);
  });

  it('take no token of this replica where Redis refuses', async () => {
    await shared.onApplicationBootstrap();
    redis.answer = 'refuses';
    for (let n = 0; n < 5; n += 1) expect(await shared.take('ada', 2)).toMatchObject({ isBlocked: true });
    redis.answer = 'takes';
    expect(await shared.take('ada', 2)).toMatchObject({ isBlocked: false });
    redis.answer = 'fails';
    expect(await shared.take('ada', 2)).toMatchObject({ isBlocked: false, remaining: 0 });
    expect(fallbacks).toBe(1);
  });

  it('ask Redis no more after a failure, until a probe of the same key succeeds', async () => {
    await shared.onApplicationBootstrap();
    redis.answer = 'fails';
    await shared.take('ada', 10);
    const asked = redis.asked.length;
    await shared.take('grace', 10);
    expect(redis.asked).toHaveLength(asked);
    expect(shared.sharing).toBe('fallback');
    await beat();
    expect(redis.asked.at(-1)?.[0]).toBe(`${redis.asked[asked - 1]?.[0]}:probe`);
    expect(shared.sharing).toBe('fallback');
    redis.answer = 'takes';
    await beat();
    expect(shared.sharing).toBe('shared');
    expect(said).toEqual([SHARES, away('OOM'), SHARES]);
  });

  it('tell the error of the connection rather than that of the request', async () => {
    await shared.onApplicationBootstrap();
    redis.loseConnection('ECONNRESET');
    redis.status = 'reconnecting';
    await beat();
    expect(said).toEqual([SHARES, away('ECONNRESET')]);
  });

  it('tell of a failure that is no error', async () => {
    await shared.onApplicationBootstrap();
    jest.spyOn(inRedis, 'take').mockRejectedValue('of another kind');
    await shared.take('ada', 10);
    expect(said).toEqual([SHARES, away('unknown')]);
  });

  it('probe once a second until the service stops, and keep no process alive', async () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    await shared.onApplicationBootstrap();
    const timer = timers.mock.results.at(-1)?.value as NodeJS.Timeout | undefined;
    expect(timer?.hasRef()).toBe(false);
    expect(redis.asked).toHaveLength(1);
    for (let n = 2; n < 5; n += 1) {
      await beat();
      expect(redis.asked).toHaveLength(n);
    }
    shared.onApplicationShutdown();
    expect(redis.disconnected).toBe(1);
    expect(jest.getTimerCount()).toBe(0);
    await beat();
    expect(redis.asked).toHaveLength(4);
  });

  it('say nothing of what fails while the service stops, and probe no more', async () => {
    await shared.onApplicationBootstrap();
    redis.answer = 'hangs';
    await beat();
    shared.onApplicationShutdown();
    await beat();
    expect(said).toEqual([SHARES]);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('The client of Redis', () => {
  const connect = (url: string) => {
    const { REDIS_URL } = readSettings({ REDIS_URL: url });
    if (!REDIS_URL) throw new Error('There is no address.');
    return redisClient(REDIS_URL) as unknown as { options: Record<string, unknown>; status: string };
  };
  const calls = (option: unknown, ...parameters: unknown[]) =>
    (option as (...all: unknown[]) => unknown)(...parameters);
  /** What is the same wherever it connects to. */
  const CONNECTION = {
    connectionName: 'gatehouse',
    connectTimeout: 2_000,
    socketTimeout: 2_000,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
  };

  it('connects to a server later, and keeps trying', () => {
    const { options, status } = connect('redis://127.0.0.1:7000/3');
    expect(status).toBe('wait');
    expect(options).toMatchObject({
      ...CONNECTION,
      host: '127.0.0.1',
      port: 7000,
      db: 3,
      enableOfflineQueue: false,
      lazyConnect: true,
      scripts: { takeToken: { numberOfKeys: 1 } },
    });
    expect(calls(options['retryStrategy'], 1)).toBe(500);
    expect(options['tls']).toBeUndefined();
    expect(options['sentinels']).toBeFalsy();
    expect([options['username'], options['password']]).toEqual([null, null]);
  });

  it('reconnects where a failover has left the server read-only', () => {
    const { options } = connect('redis://127.0.0.1');
    const reconnects = (text: string) => calls(options['reconnectOnError'], new Error(text));
    expect(reconnects("READONLY You can't write against a read only replica.")).toBe(true);
    expect(reconnects('ERR not READONLY')).toBe(false);
  });

  it('authenticates, by TLS where the address says so', () => {
    expect(connect('rediss://limits:secret@127.0.0.1').options).toMatchObject({
      username: 'limits',
      password: 'secret',
      tls: {},
    });
    const { options } = connect('redis://:secret@127.0.0.1');
    expect([options['username'], options['password']]).toEqual([null, 'secret']);
  });

  it('asks Sentinels for the server', () => {
    const { options } = connect('redis+sentinel://one.example,two.example:7001/limits/2');
    expect(options).toMatchObject({
      ...CONNECTION,
      name: 'limits',
      db: 2,
      sentinels: [
        { host: 'one.example', port: 26_379 },
        { host: 'two.example', port: 7_001 },
      ],
      sentinelCommandTimeout: 500,
      enableTLSForSentinelMode: false,
    });
    expect(calls(options['sentinelRetryStrategy'], 1)).toBe(500);
    expect(options['sentinelTLS']).toBeUndefined();
    expect(options['sentinelPassword']).toBeFalsy();
    expect(options['host']).not.toBe('one.example');
  });

  it('asks Sentinels by TLS and with the password as well', () => {
    expect(connect('rediss+sentinel://:secret@one.example/limits').options).toMatchObject({
      enableTLSForSentinelMode: true,
      sentinelTLS: {},
      sentinelPassword: 'secret',
      tls: {},
    });
  });

  it('finds the nodes of a cluster by name', () => {
    const { options } = connect('rediss+cluster://:secret@one.example,two.example');
    expect(options).toMatchObject({
      redisOptions: { ...CONNECTION, password: 'secret', tls: {} },
      lazyConnect: true,
      scripts: { takeToken: { numberOfKeys: 1 } },
      slotsRefreshTimeout: 500,
      maxRedirections: 3,
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
    });
    expect(calls(options['clusterRetryStrategy'], 1)).toBe(500);
    const done = jest.fn();
    calls(options['dnsLookup'], 'one.example', done);
    expect(done).toHaveBeenCalledWith(null, 'one.example');
  });
});
