import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { ChangeFeed } from './change-feed.js';

/** No answer older than this is given: the hard bound of contract section 2. */
const MAX_AGE_MS = 5_000;
/** At the feed's next sign of life after this age an answer is read anew, if it is still wanted, and else forgotten. */
const RENEW_AFTER_MS = 3_000;
/** It is for as long after somebody has found it here: read among others it keeps nobody waiting. */
const WANTED_MS = 30_000;
/** Most of what is asked for once, by somebody who looks in and is gone, is not asked for again. */
const NOT_YET = -Infinity;
/** As many answers are read anew by one statement. */
const BATCH = 500;
const MAX_ENTRIES = 20_000;

interface Entry<V> {
  readonly answer: V;
  /** When its reading began, by the monotonic clock. */
  readonly readAt: number;
  /** When it was last asked for while it was here. */
  foundAt: number;
}

interface Reading<V> {
  readonly answers: Promise<ReadonlyMap<string, V>>;
  /** Keys that changed meanwhile. */
  readonly changed: Set<string>;
}

/** Answers the database for many keys at once; what does not exist is left out. */
export type LoadAnswers<V> = (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>;

/**
 * Answers of the database, from memory for at most five seconds and only while the change feed is healthy. An answer is kept only if
 * nothing changed while it was being read, and nothing may have; absence is never kept. What is asked for at the same moment is read by one
 * statement, and what is found in memory is read anew before it is too old, so that whoever goes on asking does not wait for it.
 */
export class LiveCache<V extends object | true> {
  /** In order of age. */
  private readonly entries = new Map<string, Entry<V>>();
  private readonly readings = new Map<string, Reading<V>>();
  private renewing = false;
  /** What is read at the end of this turn of the event loop. */
  private gathering: { readonly keys: string[]; readonly reading: Reading<V> } | undefined;

  constructor(
    private readonly feed: ChangeFeed,
    private readonly channel: string,
    private readonly load: LoadAnswers<V>,
    private readonly wantedMs = WANTED_MS,
  ) {
    feed.listen(channel, {
      changed: (key) => this.forget(key),
      lost: () => this.forgetAll(),
      alive: () => void this.renew(),
    });
  }

  /** @throws when the database is out of reach: that is a 503 and never a 401 */
  async get(key: string): Promise<V | null> {
    if (!this.feed.healthy) return this.loadOne(key);
    const known = this.entries.get(key);
    const now = performance.now();
    if (known !== undefined) {
      known.foundAt = now; // also of one that is too old: what takes its place is wanted
      if (now - known.readAt < MAX_AGE_MS) return known.answer;
    }
    if (this.feed.inTransaction) return this.loadOne(key); // what it sees may never be committed
    const reading = this.readings.get(key) ?? this.readWithOthers(key);
    const answer = (await reading.answers).get(key) ?? null;
    return reading.changed.has(key) && answer !== null ? this.loadOne(key) : answer;
  }

  /** Makes every replica forget answers once the open transaction, which changes what they were about, has committed. */
  async announce(...keys: string[]): Promise<void> {
    await this.feed.announce(this.channel, ...keys);
  }

  /** Forgets an answer here and at once. */
  forget(key: string): void {
    this.entries.delete(key);
    this.readings.get(key)?.changed.add(key);
    this.readings.delete(key); // whoever asks from now on reads anew
  }

  /** Nor is what is being read to be relied on: by the time it is there the feed may be back, and not have heard of its change. */
  private forgetAll(): void {
    this.entries.clear();
    for (const key of this.readings.keys()) this.forget(key);
  }

  private async loadOne(key: string): Promise<V | null> {
    return (await this.load([key])).get(key) ?? null;
  }

  /** Reads a key that is not being read, by one statement with all others of this turn of the event loop. */
  private readWithOthers(key: string): Reading<V> {
    this.gathering ??= this.gather();
    const { keys, reading } = this.gathering;
    keys.push(key);
    this.readings.set(key, reading);
    return reading;
  }

  private gather(): { readonly keys: string[]; readonly reading: Reading<V> } {
    const keys: string[] = [];
    const load = async (): Promise<ReadonlyMap<string, V>> => {
      await endOfTurn();
      this.gathering = undefined;
      return this.load(keys);
    };
    return { keys, reading: this.begin(keys, load()) };
  }

  /** Reads keys of which none is being read. */
  private read(keys: readonly string[]): Reading<V> {
    const reading = this.begin(keys, this.load(keys));
    for (const key of keys) this.readings.set(key, reading);
    return reading;
  }

  private begin(keys: readonly string[], loaded: Promise<ReadonlyMap<string, V>>): Reading<V> {
    const readAt = performance.now();
    const changed = new Set<string>();
    const answers = loaded.then(
      (found) => {
        this.finish(keys, reading);
        for (const key of keys) if (!changed.has(key)) this.keep(key, found.get(key), readAt);
        return found;
      },
      (error: unknown) => {
        this.finish(keys, reading);
        throw error;
      },
    );
    const reading: Reading<V> = { answers, changed };
    return reading;
  }

  private finish(keys: readonly string[], reading: Reading<V>): void {
    for (const key of keys) if (this.readings.get(key) === reading) this.readings.delete(key);
  }

  private keep(key: string, answer: V | undefined, readAt: number): void {
    const foundAt = this.entries.get(key)?.foundAt ?? NOT_YET;
    this.entries.delete(key); // what is new goes to the end
    if (answer === undefined || !this.feed.healthy) return;
    if (this.entries.size >= MAX_ENTRIES) this.makeRoom();
    this.entries.set(key, { answer, readAt, foundAt });
  }

  /** Many at a time: each walk to the oldest passes the places of all that have gone. */
  private makeRoom(): void {
    let tooMany = MAX_ENTRIES / 10;
    for (const key of this.entries.keys()) {
      this.entries.delete(key);
      if (--tooMany === 0) return;
    }
  }

  /** Walks over what has come of age, and no further. A database that is slow or away is left to those who ask. */
  private async renew(): Promise<void> {
    if (this.renewing) return;
    this.renewing = true;
    try {
      const due = this.takeDue();
      for (let at = 0; at < due.length; at += BATCH) {
        const keys = due.slice(at, at + BATCH).filter((key) => !this.readings.has(key));
        if (!this.feed.healthy) return; // what changes from here on may never be heard of
        if (keys.length > 0) await this.read(keys).answers;
      }
    } catch {
      // what could not be read anew grows too old, and is asked for by whoever needs it
    } finally {
      this.renewing = false;
    }
  }

  private takeDue(): string[] {
    const due: string[] = [];
    const now = performance.now();
    for (const [key, { readAt, foundAt }] of this.entries) {
      if (readAt > now - RENEW_AFTER_MS) break;
      if (foundAt > now - this.wantedMs) due.push(key);
      else this.entries.delete(key);
    }
    return due;
  }
}
