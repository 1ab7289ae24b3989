import { Injectable } from '@nestjs/common';
import type { JSONWebKeySet } from 'jose';
import { RecentlyUsed } from '../../platform/memory/index.js';
import { CustomerHttp } from '../../platform/outbound/index.js';

/** Milliseconds for which a key set is used without being read again. */
const TTL_MS = 300_000;
/** Milliseconds before a key set is read again because a key was not found. */
const REREAD_AFTER_MS = 30_000;
const MAX_SETS = 1_000;
/** Keys of a set that are considered. */
const MAX_KEYS = 20;

interface KnownSet {
  readonly keys: Promise<JSONWebKeySet>;
  readonly readAt: number;
}

/** Reads key sets that customers publish, bounded as all their addresses, and caches them. */
@Injectable()
export class ClientKeys {
  private readonly sets = new RecentlyUsed<KnownSet>(TTL_MS, MAX_SETS);

  constructor(private readonly http: CustomerHttp) {}

  /**
   * Returns the key set of an address.
   * @param again read it again, unless that was done a moment ago
   * @throws {Error} if it cannot be read
   */
  async find(url: string, again = false): Promise<JSONWebKeySet> {
    const known = this.sets.get(url);
    const age = known ? Date.now() - known.readAt : Infinity;
    if (known && age < (again ? REREAD_AFTER_MS : TTL_MS)) return known.keys;
    const keys = this.http.shared(() => this.http.together(() => this.read(url)));
    this.sets.set(url, { keys, readAt: Date.now() });
    return keys;
  }

  private async read(url: string): Promise<JSONWebKeySet> {
    const response = await this.http.fetch(url, { headers: { accept: 'application/json' } });
    if (!response.ok) throw new Error(`The key set answered ${response.status}.`);
    const body = (await response.json()) as { keys?: unknown };
    if (!Array.isArray(body.keys)) throw new Error('The key set has no keys.');
    return { keys: body.keys.slice(0, MAX_KEYS) as JSONWebKeySet['keys'] };
  }
}
