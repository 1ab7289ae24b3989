import { Database } from '../../src/platform/database/database.js';
import { ChangeFeed } from '../../src/platform/live/change-feed.js';
import { LiveCache } from '../../src/platform/live/live-cache.js';
import { eventually, withApp } from '../support/test-app.js';

describe('A cached value', () => {
  let feed: ChangeFeed;
  const app = withApp();
  beforeAll(async () => {
    feed = app.app.get(ChangeFeed);
  });

  const endFeed = () =>
    app.sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'gatehouse-feed' AND datname = current_database()",
    );

  async function breakFeed(): Promise<void> {
    await endFeed();
    await eventually('the feed is lost', () => !feed.healthy);
    await eventually('the feed is back', () => feed.healthy);
  }

  it('is not one read before a gap in the feed, in which a change may have been lost', async () => {
    const reads: ((answer: { read: number }) => void)[] = [];
    const cache = new LiveCache<{ read: number }>(feed, 'gatehouse_test_changed', async ([key = '']) => {
      const answer = await new Promise<{ read: number }>((resolve) => reads.push(resolve));
      return new Map([[key, answer]]);
    });
    const before = cache.get('key');
    await eventually('it is read', () => reads.length === 1);
    await breakFeed();
    const after = cache.get('key');
    await eventually('it is read again', () => reads.length === 2);
    reads[0]?.({ read: 0 });
    reads[1]?.({ read: 1 });
    expect(await after).toEqual({ read: 1 });
    expect(await cache.get('key')).toEqual({ read: 1 });
    await eventually('who asked before the gap has asked again', () => reads.length === 3);
    reads[2]?.({ read: 2 });
    expect(await before).toEqual({ read: 2 });
    expect(await cache.get('key')).toEqual({ read: 1 });
  });

  describe('in use', () => {
    let loads: (readonly string[])[];
    let answering: () => Promise<void>;
    let made: (wantedMs?: number) => LiveCache<{ load: number }>;
    let cache: LiveCache<{ load: number }>;
    beforeEach(() => {
      loads = [];
      answering = async () => undefined;
      const load = async (keys: readonly string[]) => {
        const nth = loads.push(keys);
        await answering();
        return new Map(keys.map((key) => [key, { load: nth }]));
      };
      made = (wantedMs) => new LiveCache(feed, 'gatehouse_test_changed', load, wantedMs);
      cache = made(2_500);
    });

    /** Reads keys twice: the second time is a hit. */
    async function hit(keys: readonly string[]): Promise<void> {
      for (const _time of ['read', 'hit']) await Promise.all(keys.map((key) => cache.get(key)));
      expect(loads).toEqual([keys]);
      loads.length = 0;
    }

    /** Hits keys until the cache refreshes ahead. */
    const renewal = (wanted: readonly string[]) =>
      eventually('a renewal', async () => {
        for (const key of wanted) await cache.get(key);
        return loads.length > 0;
      });

    it('is refreshed ahead in one batch, unless it had no recent hit', async () => {
      await hit(['a', 'b', 'c']);
      await renewal(['a', 'b']);
      expect(loads).toEqual([['a', 'b']]);
      expect(await cache.get('a')).toEqual({ load: 1 });
      expect(loads).toHaveLength(1);
      await cache.get('c');
      expect(loads.at(-1)).toEqual(['c']);
    });

    it('is not refreshed after a single read', async () => {
      cache = made();
      for (const key of ['again', 'once', 'again']) await cache.get(key);
      loads.length = 0;
      await eventually('a renewal', () => loads.length > 0);
      expect(loads).toEqual([['again']]);
    });

    it('is not one read while it changed', async () => {
      await hit(['a', 'b']);
      let answer = (): void => undefined;
      answering = () => new Promise((resolve) => (answer = resolve));
      await renewal(['a', 'b']);
      cache.forget('a');
      const renewed = cache.get('b');
      answering = async () => undefined;
      const after = cache.get('a');
      answer();
      expect(await after).toEqual({ load: 2 });
      await renewed;
      expect(await cache.get('a')).toEqual({ load: 2 });
      expect(await cache.get('b')).toEqual({ load: 1 });
    });

    it('is not refreshed while the feed is disconnected', async () => {
      const keys = Array.from({ length: 501 }, (_, n) => `key ${n}`);
      await hit(keys);
      let answer = (): void => undefined;
      answering = () => new Promise((resolve) => (answer = resolve));
      await renewal(keys);
      await endFeed();
      await eventually('the feed is lost', () => !feed.healthy);
      answer();
      await new Promise((resolve) => setImmediate(resolve));
      expect(loads.map(({ length }) => length)).toEqual([500]);
      await eventually('the feed is back', () => feed.healthy);
    });

    it('is never one read in an uncommitted transaction', async () => {
      const database = app.app.get(Database);
      const lost = new Error('taken back');
      const taken = database.transaction(async () => {
        expect(await cache.get('a')).toEqual({ load: 1 });
        throw lost;
      });
      await expect(taken).rejects.toBe(lost);
      expect(await cache.get('a')).toEqual({ load: 2 });
    });

    it('is never older than five seconds, even if the refresh fails', async () => {
      const began = performance.now();
      await hit(['a']);
      answering = () => Promise.reject(new Error('out of reach'));
      let answeredAt = began;
      await eventually('nothing is answered', async () => {
        const askedAt = performance.now();
        const answer = await cache.get('a').catch(() => null);
        if (answer !== null) answeredAt = askedAt;
        return answer === null;
      });
      expect(answeredAt - began).toBeLessThan(5_000);
      expect(loads.length).toBeGreaterThan(1);
      answering = async () => undefined;
      expect(await cache.get('a')).toEqual({ load: loads.length });
    });
  });
});
