import type { ChangeFeed } from './change-feed.js';
import { LiveCache } from './live-cache.js';

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
