import { Injectable } from '@nestjs/common';
import type { JSONWebKeySet } from 'jose';
import { RecentlyUsed } from '../../platform/memory/index.js';
import { CustomerHttp } from '../../platform/outbound/index.js';

/** Milliseconds for which a key set is used without being read again. */
const TTL_MS = 300_000;
/** Milliseconds before a key set is read again because a key was not found, or it was not read. */
const REREAD_AFTER_MS = 30_000;
const MAX_SETS = 1_000;
/** Keys of a set that are considered. */
const MAX_KEYS = 20;

interface KnownSet {
  readonly keys: Promise<JSONWebKeySet>;
  /** Milliseconds since the epoch until which the keys are used; 0 if they are not read. */
  readonly until: number;
  /** The last attempt to read the set, which may have failed. */
  readonly last: Promise<JSONWebKeySet>;
  readonly triedAt: number;
}

/** Reads key sets that customers publish, bounded as all their addresses, and caches them. */
@Injectable()
export class ClientKeys {
  private readonly sets = new RecentlyUsed<KnownSet>(TTL_MS, MAX_SETS);

  constructor(private readonly http: CustomerHttp) {}

  /**
   * Returns the key set of an address. Keys that were read are used until their time is over,
   * although a further attempt fails: anyone can cause one, by a token with an unknown key.
   * @param again read it again, unless that was tried a moment ago
   * @throws {Error} if it cannot be read
   */
  find(url: string, again = false): Promise<JSONWebKeySet> {
    const now = Date.now();
    const known = this.sets.get(url);
    const inUse = known && now < known.until ? known : null;
    if (inUse && !again) return inUse.keys;
    if (known && now < known.triedAt + REREAD_AFTER_MS) return known.last;
    const last = this.http.shared(() => this.http.together(() => this.read(url)));
    const { keys, until } = inUse ?? { keys: last, until: 0 };
    this.sets.set(url, { keys, until, last, triedAt: now });
    last.then(
      () => this.sets.set(url, { keys: last, until: now + TTL_MS, last, triedAt: now }),
      () => undefined, // the callers get it
    );
    return last;
  }

  private async read(url: string): Promise<JSONWebKeySet> {
    const response = await this.http.fetch(url, { headers: { accept: 'application/json' } });
    if (!response.ok) throw new Error(`The key set answered ${response.status}.`);
    const body = (await response.json()) as { keys?: unknown };
    if (!Array.isArray(body.keys)) throw new Error('The key set has no keys.');
    return { keys: body.keys.slice(0, MAX_KEYS) as JSONWebKeySet['keys'] };
  }
}
