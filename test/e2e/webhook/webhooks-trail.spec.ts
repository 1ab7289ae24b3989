import { byTwoFactors } from '../../support/factors.js';
import { signUpOperator } from '../../support/satellite.js';
import {
  type By,
  PLATFORM_WEBHOOKS,
  type Subscriber,
  WEBHOOKS,
  withSubscriber,
} from '../../support/subscriber.js';
import { eventually, itemsOf } from '../../support/test-app.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';

interface Entry {
  readonly action: string;
  readonly actorId: string;
  readonly tenantId: string | null;
  readonly subject: string;
}

const TYPES = ['iam.tenant.*', 'webhooks.*'];

describe('The audit trail of subscriptions', () => {
  let subscriber: Subscriber;
  withSubscriber((started) => (subscriber = started), { PORTAL: 'off' }, { types: TYPES });

  describe.each(['an organization', 'the platform'])('of %s', (owner) => {
    const isPlatform = owner === 'the platform';
    let by: Required<By>;
    /** Who calls. */
    let actorId: string;
    beforeEach(async () => {
      const { organization, app } = subscriber;
      const person = isPlatform ? await signUpOperator(app) : organization.owner.person;
      actorId = person.id;
      by = isPlatform
        ? { token: person.token, base: PLATFORM_WEBHOOKS }
        : { token: organization.owner.token, base: WEBHOOKS };
    });

    const call = async (method: string, path: string, body?: unknown): Promise<number> =>
      (await subscriber.call(method, path, body, by)).status;
    /** Oldest first. */
    const trail = async (id: string): Promise<Entry[]> => {
      const query = `/audit-events?limit=100&subject=webhooks/subscriptions/${id}`;
      const { organization, app } = subscriber;
      const answer = isPlatform
        ? await app.get(`/api/v1/operator${query}`, byTwoFactors(app, by.token))
        : await organization.call('GET', query);
      return itemsOf<Entry>(answer).toReversed();
    };
    const actions = async (id: string) => (await trail(id)).map(({ action }) => action);
    const rename = () => subscriber.organization.call('PATCH', '', { name: 'Renamed' });

    it('has each change once, by whom, with neither address nor secret', async () => {
      const { app, receiver } = subscriber;
      const { id, secret } = await subscriber.subscribe({ url: `${receiver.url}?token=s3cr3t` }, by);
      const path = `/subscriptions/${id}`;
      const patch = async (changes: object) => expect(await call('PATCH', path, changes)).toBe(200);
      await patch({});
      await patch({ description: 'Ours' });
      await patch({ enabled: false });
      await patch({ enabled: false });
      await patch({ enabled: true });
      await patch({ enabled: true });
      await patch({ includePersonalData: true, enabled: true });
      expect(await call('POST', `${path}/rotate-secret`)).toBe(200);
      expect(await call('POST', `${path}/test`, {})).toBe(202);
      const { id: deliveryId } = await subscriber.waitForDelivery(id, 'delivered', by);
      expect(await call('POST', `/deliveries/${String(deliveryId)}/redeliver`)).toBe(202);
      expect(await call('DELETE', `${path}/recover`)).toBe(204);
      // A replay that goes on until it is cancelled.
      await app.sql('UPDATE webhook_endpoints SET paused = true WHERE id = $1', [id]);
      expect(await call('POST', `${path}/recover`, { since: new Date().toISOString() })).toBe(202);
      expect(await call('DELETE', `${path}/recover`)).toBe(204);
      expect(await call('DELETE', `${path}/recover`)).toBe(204);
      expect(await call('DELETE', path)).toBe(204);
      const entries = await trail(id);
      expect(entries.map(({ action }) => action)).toEqual([
        'webhook.created',
        'webhook.updated',
        'webhook.disabled',
        'webhook.enabled',
        'webhook.updated',
        'webhook.secret-rotated',
        'webhook.test-sent',
        'webhook.redelivered',
        'webhook.recovery-started',
        'webhook.recovery-cancelled',
        'webhook.deleted',
      ]);
      const tenantId = isPlatform ? null : subscriber.organization.id;
      const who = new Set(entries.map((entry) => `${entry.actorId} ${entry.tenantId}`));
      expect([...who]).toEqual([`${actorId} ${tenantId}`]);
      const stored = JSON.stringify([await app.sql('SELECT * FROM audit_events'), entries]);
      for (const hidden of ['s3cr3t', new URL(receiver.url).host, secret, 'whsec_'])
        expect(stored).not.toContain(hidden);
    });

    it('has nothing of what was refused', async () => {
      const { id } = await subscriber.subscribe({ enabled: false }, by);
      const path = `/subscriptions/${id}`;
      const since = new Date().toISOString();
      expect(await call('PATCH', path, { url: 'https://127.0.0.1/' })).toBe(200);
      expect(await call('PATCH', path, { url: 'ftp://hooks.example.com/' })).toBe(400);
      expect(await call('PATCH', path, { types: ['no.such.type'], description: 'Ours' })).toBe(400);
      expect(await call('POST', `${path}/test`, {})).toBe(409);
      expect(await call('POST', `${path}/recover`, { since })).toBe(409);
      expect(await actions(id)).toEqual(['webhook.created', 'webhook.updated']);
    });

    it('has the end of one whose receiver is gone, of its creator', async () => {
      const { receiver } = subscriber;
      receiver.answerWith(410);
      const { id } = await subscriber.subscribe({}, by);
      await rename();
      await eventually('it is in the trail', async () => (await actions(id)).length === 2);
      expect((await trail(id)).at(-1)).toMatchObject({ action: 'webhook.stopped', actorId });
    });

    it('says who has disabled one to the other subscriptions as well', async () => {
      const other = await WebhookReceiver.start();
      await subscriber.subscribe({ url: other.url, types: ['webhooks.*'] }, by);
      const { id } = await subscriber.subscribe({}, by);
      expect(await call('PATCH', `/subscriptions/${id}`, { enabled: false })).toBe(200);
      const [event] = await other.waitFor('webhooks.subscription.disabled');
      expect(event?.body).toMatchObject({ actor: actorId, data: { subscriptionId: id, reason: 'by-user' } });
      await other.stop();
    });
  });

  it('names the new creator of a subscription that another person takes over', async () => {
    const { id } = await subscriber.subscribe({ enabled: false });
    const { person, token } = await subscriber.organization.join('admin');
    const enabled = await subscriber.call('PATCH', `/subscriptions/${id}`, { enabled: true }, { token });
    expect(enabled.status).toBe(200);
    const { body } = await subscriber.organization.call(
      'GET',
      `/audit-events?subject=webhooks/subscriptions/${id}`,
    );
    expect((body['items'] as unknown as Entry[]).map(({ action, actorId }) => [action, actorId])).toEqual([
      ['webhook.enabled', person.id],
      ['webhook.updated', person.id],
      ['webhook.created', subscriber.organization.owner.person.id],
    ]);
  });
});
