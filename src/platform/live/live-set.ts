import type { ChangeFeed } from './change-feed.js';
import { LiveCache } from './live-cache.js';

/** Which keys belong to a set of the database, under the bounds of the {@link LiveCache}. */
export class LiveSet {
  private readonly members: LiveCache<true>;

  /** @param select which of some keys belong to it */
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

  /** @throws when the database is out of reach: that is a 503 and never a 401 */
  async has(key: string): Promise<boolean> {
    return (await this.members.get(key)) !== null;
  }

  /** Makes every replica ask anew about a key once the open transaction has committed. */
  announce(key: string): Promise<void> {
    return this.members.announce(key);
  }

  /** Asks anew about a key here and at once. */
  forget(key: string): void {
    this.members.forget(key);
  }
}
