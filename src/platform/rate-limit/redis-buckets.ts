import { type KeyDerivation, keyedHash } from '../crypto/index.js';
import type { RedisClient } from './redis-client.js';
import { type BucketState, intervalOf, PERIOD, stateOf } from './token-buckets.js';

/** A caller waits this long for Redis. */
const ANSWER_MS = 500;
const PARTS = 5;
const PREFIX = 'gatehouse:rate:';
/** Whether a probe gets a token is nobody's concern. */
const PROBE_TOKENS = 60;

/** Token buckets in Redis, which all replicas share. Whatever goes wrong is thrown: who asks decides what then. */
export class RedisBuckets {
  /** Why the connection was lost or could not be made, last. */
  trouble = '';

  constructor(
    private readonly redis: RedisClient,
    private readonly keys: KeyDerivation,
  ) {
    redis.on('error', ({ message }) => (this.trouble = message));
  }

  /** Takes one token of the bucket `key`, which holds `limit`. */
  take(key: string, limit: number): Promise<BucketState> {
    return this.ask(this.nameOf(key), limit);
  }

  /** Asks as {@link take} does, at no cost to the bucket, but where it lies: in a cluster each has its node. */
  async probe(key: string): Promise<void> {
    await this.ask(`${this.nameOf(key)}:probe`, PROBE_TOKENS);
    this.trouble = '';
  }

  /** Rejects when the first try fails; goes on trying by itself. */
  connect(): Promise<void> {
    return this.redis.connect();
  }

  disconnect(): void {
    this.redis.disconnect();
  }

  private async ask(name: string, limit: number): Promise<BucketState> {
    if (this.redis.status !== 'ready') throw new Error('There is no connection.');
    const [allowed, ahead, now] = await inTime(this.redis.takeToken(name, intervalOf(limit), PERIOD));
    return stateOf(allowed === 1, ahead, now, limit);
  }

  /** Says nothing about the caller. In braces, as a cluster places keys by what is in them. */
  private nameOf(key: string): string {
    return `${PREFIX}{${keyedHash(this.keys, 'rate-limit', key).toString('base64url')}}`;
  }
}

/**
 * Rejects when the answer is late. The time is waited in parts: while this process is busy with something else it reads no answers, and
 * that must not be taken for a Redis that is slow.
 */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const wait = (parts: number): void => {
      const over = () => (parts > 1 ? wait(parts - 1) : reject(new Error('There is no answer.')));
      timer = setTimeout(over, ANSWER_MS / PARTS);
    };
    wait(PARTS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
