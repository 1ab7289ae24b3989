import { eventually, type TestApp } from './test-app.js';

/** Events that have no sequence number yet. */
const WAITING = `SELECT 1 FROM events e JOIN event_cursors c ON c.consumer = 'sequencer'
  WHERE (e.xid, e.seq) > (c.xid, c.seq)`;

/**
 * Waits until all events are numbered. A subscription receives what is numbered after it, so that
 * a test waits before it subscribes.
 */
export async function eventsAreNumbered(app: TestApp): Promise<void> {
  await eventually('all events are numbered', async () => (await app.sql(WAITING)).length === 0);
}
