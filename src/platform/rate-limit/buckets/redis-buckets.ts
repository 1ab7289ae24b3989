import { type KeyDerivation, keyedHash } from '../../crypto/index.js';
import type { RedisClient } from './redis-client.js';
import { type BucketState, intervalOf, PERIOD, stateOf } from './token-buckets.js';

/** Maximum time that a request waits for Redis. */
const MAX_WAIT_MS = 500;
const WAIT_PARTS = 5;
const PREFIX = 'gatehouse:rate:';
/** Size of the bucket of probes; whether it has a token left does not matter. */
const PROBE_TOKENS = 60;

/** Token buckets in Redis, shared by all replicas. Every failure rejects; the caller handles it. */
export class RedisBuckets {
  /** Message of the last connection error. */
  lastError = '';

  constructor(
    private readonly redis: RedisClient,
    private readonly keys: KeyDerivation,
  ) {
    redis.on('error', ({ message }) => (this.lastError = message));
  }

  /** Takes one token of the bucket `key`, which holds `limit`. */
  take(key: string, limit: number): Promise<BucketState> {
    return this.takeToken(this.nameOf(key), limit);
  }

  /**
   * Probes Redis by another bucket on the same node, as each node of a cluster can fail by itself.
   * @param key key whose node is probed; its bucket loses no token
   */
  async probe(key: string): Promise<void> {
    await this.takeToken(`${this.nameOf(key)}:probe`, PROBE_TOKENS);
    this.lastError = '';
  }

  /** Connects. Rejects if the first attempt fails; the client keeps retrying. */
  connect(): Promise<void> {
    return this.redis.connect();
  }

  disconnect(): void {
    this.redis.disconnect();
  }

  private async takeToken(name: string, limit: number): Promise<BucketState> {
    if (this.redis.status !== 'ready') throw new Error('Redis is not connected.');
    const [allowed, ahead, now] = await withTimeout(this.redis.takeToken(name, intervalOf(limit), PERIOD));
    return stateOf(allowed === 1, ahead, now, limit);
  }

  /**
   * Returns the Redis key of a bucket: a keyed hash, which does not reveal the caller. In braces: a
   * cluster selects the node by their content (hash tag).
   */
  private nameOf(key: string): string {
    return `${PREFIX}{${keyedHash(this.keys, 'rate-limit', key).toString('base64url')}}`;
  }
}

/**
 * Rejects after {@link MAX_WAIT_MS}. Waits in parts: a process whose event loop is busy reads no
 * responses, and must not mistake that for a slow Redis.
 */
async function withTimeout<T>(response: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const wait = (parts: number): void => {
      const over = () => (parts > 1 ? wait(parts - 1) : reject(new Error('Redis did not respond.')));
      timer = setTimeout(over, MAX_WAIT_MS / WAIT_PARTS);
    };
    wait(WAIT_PARTS);
  });
  return Promise.race([response, timeout]).finally(() => clearTimeout(timer));
}
