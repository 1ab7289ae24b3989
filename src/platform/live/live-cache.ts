import { LRUCache } from 'lru-cache';
import type { ChangeFeed } from './change-feed.js';

/** The clock that answers age by is read this often at most: each reading starts a timer. */
const CLOCK_MS = 100;
/** With the clock's step the hard bound of contract section 2: no answer older than five seconds is given. */
const MAX_AGE_MS = 5_000 - CLOCK_MS;
const MAX_ENTRIES = 50_000;

interface Load<V> {
  changed: boolean;
  readonly answer: Promise<V | null>;
}

/**
 * Answers of the database, from memory for at most five seconds and only while the change feed is healthy. An answer is kept only if
 * nothing changed while it was being read, and nothing may have; absence is never kept.
 */
export class LiveCache<V extends object | true> {
  private readonly entries = new LRUCache<string, V>({
    max: MAX_ENTRIES,
    ttl: MAX_AGE_MS,
    ttlResolution: CLOCK_MS,
  });
  private readonly loading = new Map<string, Load<V>>();

  constructor(
    private readonly feed: ChangeFeed,
    private readonly channel: string,
    private readonly load: (key: string) => Promise<V | null>,
  ) {
    feed.listen(channel, { changed: (key) => this.forget(key), lost: () => this.forgetAll() });
  }

  /** @throws when the database is out of reach: that is a 503 and never a 401 */
  async get(key: string): Promise<V | null> {
    if (!this.feed.healthy) return this.load(key);
    const known = this.entries.get(key);
    if (known !== undefined) return known;
    const running = this.loading.get(key);
    if (running) return running.answer;
    const load: Load<V> = { changed: false, answer: this.load(key) };
    this.loading.set(key, load);
    try {
      const answer = await load.answer;
      if (answer === null) return null;
      if (load.changed) return await this.load(key);
      if (this.feed.healthy) this.entries.set(key, answer);
      return answer;
    } finally {
      if (this.loading.get(key) === load) this.loading.delete(key);
    }
  }

  /** Makes every replica forget an answer once the open transaction, which changes what it was about, has committed. */
  async announce(key: string): Promise<void> {
    await this.feed.announce(this.channel, key);
  }

  /** Forgets an answer here and at once. */
  forget(key: string): void {
    this.entries.delete(key);
    const running = this.loading.get(key);
    if (!running) return;
    running.changed = true;
    this.loading.delete(key); // whoever asks from now on reads anew
  }

  /** Nor is what is being read to be relied on: by the time it is there the feed may be back, and not have heard of its change. */
  private forgetAll(): void {
    this.entries.clear();
    for (const key of this.loading.keys()) this.forget(key);
  }
}
