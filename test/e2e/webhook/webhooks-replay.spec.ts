import type { Organization } from '../../support/organization.js';
import { type Subscriber, withSubscriber } from '../../support/subscriber.js';
import { eventually, type TestApp } from '../../support/test-app.js';
import type { WebhookReceiver } from '../../support/webhook-receiver.js';

/** Events that one second of a replay looks at. */
const PER_SECOND = 100;
const PLENTY = 10_000;

describe('A replay', () => {
  let app: TestApp;
  let organization: Organization;
  let receiver: WebhookReceiver;
  let subscriber: Subscriber;
  withSubscriber(
    (started) => {
      subscriber = started;
      ({ app, organization, receiver } = started);
    },
    { PORTAL: 'off' },
  );

  const subscribe = async () => (await subscriber.subscribe()).id;
  const cancel = async (id: string): Promise<void> =>
    expect((await subscriber.call('DELETE', `/subscriptions/${id}/recover`)).status).toBe(204);
  const statesOf = async (id: string): Promise<Record<string, number>> =>
    Object.fromEntries(
      (
        await app.sql<{ state: string; count: number }>(
          'SELECT state, count(*)::int AS count FROM webhook_deliveries WHERE endpoint_id = $1 GROUP BY 1',
          [id],
        )
      ).map(({ state, count }) => [state, count]),
    );

  /** Inserts numbered events, below all that the sequencer reads. */
  async function seed(count: number, hoursAgo: number): Promise<void> {
    const numbered = async () =>
      (await app.sql('SELECT 1 FROM event_streams WHERE tenant_id = $1', [organization.id])).length === 1;
    await eventually('the stream exists', numbered);
    await app.sql(
      `WITH stream AS (
         UPDATE event_streams SET last = last + $2 WHERE tenant_id = $1 RETURNING last - $2 AS first
       ), made AS (
         INSERT INTO events (id, xid, type, tenant_ids, subject, data, created_at)
         SELECT '01SEED' || lpad((first + n)::text, 20, '0'), '3', 'iam.role.created', ARRAY[$1], 'iam/roles/1',
           '{"roleId": "01K3V9D7Q8Z4X5N6M7P8R9S0T3"}', now() - make_interval(secs => $3 * 3600.0)
         FROM stream, generate_series(1, $2) AS n RETURNING id, created_at
       )
       INSERT INTO event_entries (tenant_id, sequence, created_at, event_id)
       SELECT $1, substr(id, 7)::bigint, created_at, id FROM made`,
      [organization.id, count, hoursAgo],
    );
  }
  /** Makes dead deliveries of all events. */
  const seedDead = (id: string) =>
    app.sql(
      `INSERT INTO webhook_deliveries (tenant_id, id, endpoint_id, event_id, type, sequence, state, finished_at)
       SELECT tenant_id, event_id, $2, event_id, 'iam.role.created', sequence, 'dead', now()
       FROM event_entries WHERE tenant_id = $1 AND event_id LIKE '01SEED%'`,
      [organization.id, id],
    );

  it('of ten thousand dead deliveries is bounded in rate, can be cancelled, and repeats none', async () => {
    await seed(PLENTY, 1);
    const id = await subscribe();
    await seedDead(id);
    const began = Date.now();
    await subscriber.recover(id, 2);
    await eventually('some are delivered', () => receiver.received.length > 2 * PER_SECOND);
    const { recoveryRemaining } = await subscriber.read(id);
    const seconds = (Date.now() - began) / 1_000;
    expect(receiver.received.length).toBeLessThanOrEqual(PER_SECOND * (seconds + 2));
    expect(recoveryRemaining).toBeGreaterThan(0);
    expect(recoveryRemaining).toBeLessThan(PLENTY);

    await cancel(id);
    const { dead: left = 0 } = await statesOf(id);
    expect(left).toBeGreaterThan(0);
    await eventually('what was added is delivered', async () => {
      const { dead = 0, delivered = 0 } = await statesOf(id);
      return dead + delivered === PLENTY;
    });
    expect((await statesOf(id))['dead']).toBe(left);
    expect(await subscriber.read(id)).toMatchObject({ recoveringSince: null, recoveryRemaining: null });

    await subscriber.recover(id, 2);
    const { length: before } = receiver.received;
    await eventually('it goes on', () => receiver.received.length > before);
    await cancel(id);
    const ids = receiver.received.map(({ body }) => body.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('begins at its time, without the thousands of events before it', async () => {
    await seed(PLENTY, 48);
    await seed(2, 3); // a minute before
    await seed(3, 1);
    const id = await subscribe();
    await subscriber.recover(id, 2.98);
    await eventually('it is over', async () => (await subscriber.read(id))['recoveringSince'] === null);
    expect(Object.values(await statesOf(id)).reduce((sum, count) => sum + count, 0)).toBe(3);
    await receiver.waitFor('iam.role.created', 3);
  });

  it('has the events that committed before earlier ones of long transactions', async () => {
    await seed(1, 2);
    await seed(400, 2.04); // their transaction was open for more than two minutes
    await seed(1, 1.9);
    const id = await subscribe();
    await subscriber.recover(id, 2.02);
    await eventually('it is over', async () => (await subscriber.read(id))['recoveringSince'] === null);
    expect(Object.values(await statesOf(id)).reduce((sum, count) => sum + count, 0)).toBe(2);
  });

  it('ends at the event that was the last one', async () => {
    await seed(300, 1);
    const id = await subscribe();
    await app.sql(
      `UPDATE webhook_endpoints SET recover_after = 0, recover_from = now() - interval '2 hours', recover_at = now(),
         recover_until = (SELECT last - 200 FROM event_streams WHERE tenant_id = $1) WHERE id = $2`,
      [organization.id, id],
    );
    await eventually('it is over', async () => (await subscriber.read(id))['recoveringSince'] === null);
    const { length: ofRoles } = await app.sql(
      `SELECT 1 FROM event_entries e JOIN webhook_endpoints w ON w.id = $2
         WHERE e.tenant_id = $1 AND e.event_id LIKE '01SEED%' AND e.sequence <= w.recover_until`,
      [organization.id, id],
    );
    await receiver.waitFor('iam.role.created', ofRoles);
    expect(Object.values(await statesOf(id)).reduce((sum, count) => sum + count, 0)).toBe(ofRoles);
  });
});
