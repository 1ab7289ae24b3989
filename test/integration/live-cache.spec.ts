import { ChangeFeed, LiveCache } from '../../src/platform/live/index.js';
import { eventually, TestApp } from '../support/test-app.js';

describe('What is answered from memory', () => {
  let app: TestApp;
  let feed: ChangeFeed;
  beforeAll(async () => {
    app = await TestApp.start();
    feed = app.app.get(ChangeFeed);
  });
  afterAll(() => app.stop());

  async function breakFeed(): Promise<void> {
    await app.sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'gatehouse-feed' AND datname = current_database()",
    );
    await eventually('the feed is lost', () => !feed.healthy);
    await eventually('the feed is back', () => feed.healthy);
  }

  it('is never what was read before a gap in the feed, in which its change may have been missed', async () => {
    const reads: ((answer: { read: number }) => void)[] = [];
    const cache = new LiveCache<{ read: number }>(
      feed,
      'gatehouse_test_changed',
      () => new Promise((resolve) => reads.push(resolve)),
    );
    const before = cache.get('key');
    await breakFeed();
    const after = cache.get('key');
    reads[0]?.({ read: 0 });
    reads[1]?.({ read: 1 });
    expect(await after).toEqual({ read: 1 });
    expect(await cache.get('key')).toEqual({ read: 1 });
    await eventually('who asked before the gap has asked again', () => reads.length === 3);
    reads[2]?.({ read: 2 });
    expect(await before).toEqual({ read: 2 });
    expect(await cache.get('key')).toEqual({ read: 1 });
  });
});
