import type { Organization } from '../../support/organization.js';
import { type Subscriber, withSubscriber } from '../../support/subscriber.js';
import { eventually, type TestApp } from '../../support/test-app.js';
import type { WebhookReceiver } from '../../support/webhook-receiver.js';

describe('Deliveries in order', () => {
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
    { types: ['iam.tenant.updated'], ordering: 'subject' },
  );

  const subscribe = async (changes?: object) => (await subscriber.subscribe(changes)).id;
  const change = async (id: string, changes: object): Promise<void> =>
    expect((await subscriber.call('PATCH', `/subscriptions/${id}`, changes)).status).toBe(200);
  let names = 0;
  /** Causes events of one subject. */
  const rename = async (times = 1): Promise<void> => {
    for (let n = 0; n < times; n += 1)
      expect((await organization.call('PATCH', '', { name: `Renamed ${(names += 1)}` })).status).toBe(200);
  };
  const rows = (id: string) =>
    app.sql<{ id: string; state: string; sequence: number }>(
      'SELECT id, state, sequence::int FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY sequence',
      [id],
    );
  const states = async (id: string) => (await rows(id)).map(({ state }) => state).join();
  const are = (id: string, expected: string) =>
    eventually(`they are ${expected}`, async () => (await states(id)) === expected);
  const setState = (id: string, changes: string, of = 'true') =>
    app.sql(`UPDATE webhook_deliveries SET ${changes} WHERE endpoint_id = $1 AND ${of}`, [id]);
  const sequences = () => receiver.received.map(({ body }) => body.sequence);

  it.each(['subject', 'endpoint'])('by %s are replayed behind one that was delivered', async (ordering) => {
    const id = await subscribe({ ordering });
    await rename(3);
    await are(id, 'delivered,delivered,delivered');
    await setState(id, "state = 'dead'", `id <> '${(await rows(id))[0]?.id}'`);
    await subscriber.recover(id);
    await are(id, 'delivered,delivered,delivered');
    await rename();
    await are(id, 'delivered,delivered,delivered,delivered');
    const [, second = 0, third, fourth] = (await rows(id)).map(({ sequence }) => sequence);
    expect(sequences()).toEqual([second - 1, second, third, second, third, fourth]);
  });

  it.each([
    ['that were redelivered, and given up', "state = 'dead', order_key = NULL"],
    ['of another order, and given up', "state = 'dead', order_key = CASE sequence % 2 WHEN 0 THEN '*' END"],
  ])('are replayed if they are %s', async (_, changes) => {
    const id = await subscribe();
    await rename(3);
    await are(id, 'delivered,delivered,delivered');
    await setState(id, changes);
    await subscriber.recover(id);
    await are(id, 'delivered,delivered,delivered');
    expect(sequences().slice(3)).toEqual(sequences().slice(0, 3));
  });

  it.each<[string, (id: string) => Promise<unknown>, (id: string) => Promise<unknown>]>([
    ['was disabled', (id) => change(id, { enabled: false }), (id) => change(id, { enabled: true })],
    ['was paused', () => organization.call('POST', '/archive'), () => organization.call('POST', '/restore')],
  ])('go on after a subscription %s until the first of them expired', async (_, stop, goOn) => {
    receiver.answerWith(500);
    const id = await subscribe();
    await rename(3);
    await receiver.waitFor('iam.tenant.updated');
    await are(id, 'due,waiting,waiting');
    await stop(id);
    await eventually('it is stopped', async () => {
      const { status } = await subscriber.read(id);
      return status === 'disabled' || status === 'paused';
    });
    await app.sql("DELETE FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'due'", [id]);
    receiver.answerWith(204);
    await goOn(id);
    await are(id, 'delivered,delivered');
    expect(sequences().slice(1)).toEqual((await rows(id)).map(({ sequence }) => sequence));
  });
});
