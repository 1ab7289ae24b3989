import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { ChangeFeed } from './change-feed.js';

/** TTL of entries: the hard bound of API-5. */
const TTL_MS = 5_000;
/** Age after which the next heartbeat of the feed refreshes an entry, or drops one without hits. */
const REFRESH_AFTER_MS = 3_000;
/** Refresh ahead only entries that were hit within this time. */
const DEFAULT_REFRESH_WINDOW_MS = 30_000;
/** An entry without a hit is not refreshed: most keys of short visits are never read again. */
const NEVER_HIT = -Infinity;
/** Entries that one statement refreshes. */
const REFRESH_BATCH_SIZE = 500;
/** About 2.5 MB of a `LiveSet`, and 10 MB of memberships, 520 bytes each (measured). */
const MAX_ENTRIES = 20_000;

interface Entry<V> {
  readonly value: V;
  /** Start of the read, by `performance.now()`. */
  readonly readAt: number;
  /** Time of the last hit, by `performance.now()`. */
  hitAt: number;
}

/** Read in progress. */
interface Reading<V> {
  readonly values: Promise<ReadonlyMap<string, V>>;
  /** Keys that changed during the read. */
  readonly changed: Set<string>;
}

/** Loads the values of several keys from the database; keys that do not exist are left out. */
export type LoadValues<V> = (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>;

/**
 * Caches values of the database for at most five seconds, and only while the change feed is
 * healthy (ADR 11). Caches a value only if its key cannot have changed during the read; never
 * caches absence. One statement loads all keys requested in the same turn of the event loop.
 * Entries in use are refreshed ahead, so that their readers do not wait.
 */
export class LiveCache<V extends object | true> {
  /** Oldest first. */
  private readonly entries = new Map<string, Entry<V>>();
  private readonly readings = new Map<string, Reading<V>>();
  private refreshing = false;
  /** Read that starts at the end of this turn of the event loop. */
  private pending: { readonly keys: string[]; readonly reading: Reading<V> } | undefined;

  constructor(
    private readonly feed: ChangeFeed,
    private readonly channel: string,
    private readonly load: LoadValues<V>,
    private readonly refreshWindowMs = DEFAULT_REFRESH_WINDOW_MS,
  ) {
    feed.listen(channel, {
      changed: (key) => this.forget(key),
      lost: () => this.forgetAll(),
      alive: () => {
        this.refresh().catch(() => undefined); // entries that were not refreshed expire
      },
    });
  }

  /**
   * Returns the value of a key, from the cache or the database; null if it does not exist.
   * @throws {Error} if the database is unavailable: a 503 and never a 401
   */
  async get(key: string): Promise<V | null> {
    if (!this.feed.healthy) return this.loadOne(key);
    const known = this.entries.get(key);
    const now = performance.now();
    if (known !== undefined) {
      known.hitAt = now; // of an expired entry as well: its successor inherits it
      if (now - known.readAt < TTL_MS) return known.value;
    }
    if (this.feed.inTransaction) return this.loadOne(key); // may read uncommitted changes
    const reading = this.readings.get(key) ?? this.readInBatch(key);
    const value = (await reading.values).get(key) ?? null;
    return reading.changed.has(key) && value !== null ? this.loadOne(key) : value;
  }

  /** Invalidates keys on all replicas when the open transaction, which changes them, commits. */
  async announce(...keys: string[]): Promise<void> {
    await this.feed.announce(this.channel, ...keys);
  }

  /** Invalidates a key on this replica at once. */
  forget(key: string): void {
    this.entries.delete(key);
    this.readings.get(key)?.changed.add(key);
    this.readings.delete(key); // the next get starts another read
  }

  /**
   * Invalidates all keys on this replica at once, reads in progress included: when they end, the
   * feed may be back without having received a change of their keys.
   */
  forgetAll(): void {
    this.entries.clear();
    for (const key of this.readings.keys()) this.forget(key);
  }

  private async loadOne(key: string): Promise<V | null> {
    return (await this.load([key])).get(key) ?? null;
  }

  /** Reads a key by one statement together with all others of this turn of the event loop. */
  private readInBatch(key: string): Reading<V> {
    this.pending ??= this.startBatch();
    const { keys, reading } = this.pending;
    keys.push(key);
    this.readings.set(key, reading);
    return reading;
  }

  private startBatch(): { readonly keys: string[]; readonly reading: Reading<V> } {
    const keys: string[] = [];
    const load = async (): Promise<ReadonlyMap<string, V>> => {
      await endOfTurn();
      this.pending = undefined;
      return this.load(keys);
    };
    return { keys, reading: this.begin(keys, load()) };
  }

  /** Reads keys; none of them may have a read in progress. */
  private read(keys: readonly string[]): Reading<V> {
    const reading = this.begin(keys, this.load(keys));
    for (const key of keys) this.readings.set(key, reading);
    return reading;
  }

  private begin(keys: readonly string[], loaded: Promise<ReadonlyMap<string, V>>): Reading<V> {
    const readAt = performance.now();
    const changed = new Set<string>();
    const values = loaded.then(
      (found) => {
        this.finish(keys, reading);
        for (const key of keys) if (!changed.has(key)) this.store(key, found.get(key), readAt);
        return found;
      },
      (error: unknown) => {
        this.finish(keys, reading);
        throw error;
      },
    );
    const reading: Reading<V> = { values, changed };
    return reading;
  }

  private finish(keys: readonly string[], reading: Reading<V>): void {
    for (const key of keys) if (this.readings.get(key) === reading) this.readings.delete(key);
  }

  private store(key: string, value: V | undefined, readAt: number): void {
    const hitAt = this.entries.get(key)?.hitAt ?? NEVER_HIT;
    this.entries.delete(key); // a Map appends a deleted key again at the end
    if (value === undefined || !this.feed.healthy) return;
    if (this.entries.size >= MAX_ENTRIES) this.evict();
    this.entries.set(key, { value, readAt, hitAt });
  }

  /** Evicts a tenth at once: each new iterator of a Map skips the slots of all deleted entries. */
  private evict(): void {
    let excess = MAX_ENTRIES / 10;
    for (const key of this.entries.keys()) {
      this.entries.delete(key);
      if (--excess === 0) return;
    }
  }

  /**
   * Refreshes entries in use that are due. Stops at a failure of the database: `get` reports it.
   */
  private async refresh(): Promise<void> {
    if (this.refreshing) return;
    this.refreshing = true;
    try {
      const due = this.takeDue();
      for (let at = 0; at < due.length; at += REFRESH_BATCH_SIZE) {
        const keys = due.slice(at, at + REFRESH_BATCH_SIZE).filter((key) => !this.readings.has(key));
        if (!this.feed.healthy) return; // notifications may be lost from here on
        if (keys.length > 0) await this.read(keys).values;
      }
    } finally {
      this.refreshing = false;
    }
  }

  /** Returns the keys to refresh, and drops due entries without recent hits. */
  private takeDue(): string[] {
    const due: string[] = [];
    const now = performance.now();
    for (const [key, { readAt, hitAt }] of this.entries) {
      if (readAt > now - REFRESH_AFTER_MS) break;
      if (hitAt > now - this.refreshWindowMs) due.push(key);
      else this.entries.delete(key);
    }
    return due;
  }
}

/** Caches which keys belong to a set in the database, with the TTL of the {@link LiveCache}. */
export class LiveSet {
  private readonly members: LiveCache<true>;

  /** @param select returns those of the given keys that belong to the set */
  constructor(
    feed: ChangeFeed,
    channel: string,
    select: (keys: readonly string[]) => Promise<readonly string[]>,
  ) {
    this.members = new LiveCache(
      feed,
      channel,
      async (keys) => new Map((await select(keys)).map((key) => [key, true])),
    );
  }

  /** @throws {Error} if the database is unavailable: a 503 and never a 401 */
  async has(key: string): Promise<boolean> {
    return (await this.members.get(key)) !== null;
  }

  /** Invalidates a key on all replicas when the open transaction commits. */
  announce(key: string): Promise<void> {
    return this.members.announce(key);
  }

  /** Invalidates a key on this replica at once. */
  forget(key: string): void {
    this.members.forget(key);
  }
}
