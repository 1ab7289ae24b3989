/** @service separate */
import { Output } from '../../src/platform/api/index.js';
import { EventFeed, EventType } from '../../src/platform/events/index.js';
import { followWriters, WRITTEN_TYPE } from '../support/event-writers.js';
import { withApp } from '../support/test-app.js';

@EventType(WRITTEN_TYPE, { description: 'A thing changed.', readScope: 'iam:tenant:read' })
class ThingChanged {
  @Output.text({ max: 20, example: 'first' })
  name: string;
}

describe('Events of fifty writers', () => {
  const app = withApp({ PORTAL: 'off' });

  it(`are in the feed of a reader that follows them, all and in their order (${ThingChanged.name})`, async () => {
    const feed = app.app.get(EventFeed, { strict: false });
    const { seen, committed } = await followWriters(feed, app.databaseUrl, { writers: 50, rounds: 40 });
    expect(seen).toEqual(committed);
  });
});
