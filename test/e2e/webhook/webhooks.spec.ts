import { execFile } from 'node:child_process';
import { createPublicKey, randomBytes, verify, type webcrypto } from 'node:crypto';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { OperatorService } from '../../../src/iam/index.js';
import type { TenantId, UserId } from '../../../src/kernel/index.js';
import { CleanupService } from '../../../src/platform/cleanup/cleanup.js';
import { Database } from '../../../src/platform/database/index.js';
import { PLATFORM } from '../../../src/platform/events/index.js';
import { OutboundPost } from '../../../src/platform/outbound/index.js';
import { EventBodies } from '../../../src/webhook/engine/event-body.js';
import { EventReaders } from '../../../src/webhook/endpoints/event-readers.js';
import { Organization, Person } from '../../support/organization.js';
import { type Subscriber, withSubscriber } from '../../support/subscriber.js';
import { eventually, itemsOf, TestApp, type Answer } from '../../support/test-app.js';
import { type Received, WebhookReceiver } from '../../support/webhook-receiver.js';

const ROOT_SECRET = randomBytes(32).toString('base64');

interface Attempt {
  readonly status: number | null;
  readonly error: string | null;
  readonly excerpt: string | null;
}

describe('Webhooks', () => {
  let app: TestApp;
  let organization: Organization;
  let receiver: WebhookReceiver;
  let subscriber: Subscriber;
  withSubscriber(
    (started) => {
      subscriber = started;
      ({ app, organization, receiver } = started);
    },
    { ROOT_SECRET },
  );

  const call = (method: string, path: string, body?: unknown, token?: string) =>
    subscriber.call(method, path, body, { token });
  const subscribe = (changes?: object, token?: string) => subscriber.subscribe(changes, { token });
  const read = (id: string) => subscriber.read(id);
  const deliveries = (id: string) => subscriber.deliveries(id);
  const createRole = () => subscriber.createRole();
  const finished = (id: string, state: string) => subscriber.waitForDelivery(id, state);
  const attempts = async (deliveryId: unknown): Promise<Attempt[]> =>
    (await call('GET', `/deliveries/${String(deliveryId)}`)).body['attemptList'] as unknown as Attempt[];
  /** Makes waiting retries due. */
  const hurry = () => app.sql("UPDATE webhook_deliveries SET due_at = now() WHERE state = 'due'");

  it('deliver an event once, signed, with ids in place of personal data', async () => {
    const { id, secret } = await subscribe();
    const roleId = await createRole();
    const [first] = await receiver.waitFor('iam.role.created');
    expect(first?.body).toEqual({
      type: 'iam.role.created',
      timestamp: expect.stringMatching(/Z$/),
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      sequence: expect.any(Number),
      tenantId: organization.id,
      subject: `iam/roles/${roleId}`,
      actor: organization.owner.person.id,
      data: { roleId },
    });
    expect(first?.headers['webhook-id']).toBe(first?.body.id);
    new Webhook(secret).verify(first?.text ?? '', first?.headers ?? {});
    const delivery = await finished(id, 'delivered');
    expect(await attempts(delivery['id'])).toEqual([
      { at: expect.any(String), status: 204, durationMs: expect.any(Number), error: null, excerpt: '' },
    ]);
    expect(receiver.received).toHaveLength(1);
  });

  it('are refused by a receiver if body, id or time were changed, or are old', async () => {
    const { secret } = await subscribe();
    await createRole();
    const [{ text, headers } = { text: '', headers: {} }] = await receiver.waitFor('iam.role.created');
    const check = (body: string, changes: object) => () =>
      new Webhook(secret).verify(body, { ...headers, ...changes });
    expect(check(text, {})).not.toThrow();
    expect(check(text.replace('role', 'rolf'), {})).toThrow('matching');
    expect(check(text, { 'webhook-id': '01K3V9D7Q8Z4X5N6M7P8R9S0T0' })).toThrow('matching');
    const old = String(Number((headers as Record<string, string>)['webhook-timestamp']) - 360);
    expect(check(text, { 'webhook-timestamp': old })).toThrow('old');
  });

  it('verify in Python, by its standard library', async () => {
    const { secret } = await subscribe();
    await createRole();
    const [request] = await receiver.waitFor('iam.role.created');
    const script = `import base64, hashlib, hmac, json, sys
d = json.load(sys.stdin)
content = f"{d['id']}.{d['time']}.{d['body']}".encode()
key = base64.b64decode(d['secret'][len('whsec_'):])
expected = 'v1,' + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
print(expected == d['signature'])`;
    const child = promisify(execFile)('python3', ['-c', script]);
    const { headers = {} } = request ?? {};
    child.child.stdin?.end(
      JSON.stringify({
        id: headers['webhook-id'],
        time: headers['webhook-timestamp'],
        signature: headers['webhook-signature'],
        body: request?.text,
        secret,
      }),
    );
    expect((await child).stdout.trim()).toBe('True');
  });

  it('can be signed by an Ed25519 key of the JWK Set', async () => {
    await subscribe({ signing: 'ed25519' });
    await createRole();
    const [request] = await receiver.waitFor('iam.role.created');
    const keys = (await app.get('/.well-known/jwks.json')).body['keys'] as unknown as webcrypto.JsonWebKey[];
    const key = keys.find(({ kty }) => kty === 'OKP') ?? {};
    expect(key).toMatchObject({ crv: 'Ed25519', use: 'sig', alg: 'EdDSA' });
    const publicKey = createPublicKey({ key, format: 'jwk' });
    const { headers = {}, text = '' } = request ?? {};
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
    const [version, signature = ''] = (headers['webhook-signature'] ?? '').split(',');
    expect(version).toBe('v1a');
    expect(verify(null, Buffer.from(content), publicKey, Buffer.from(signature, 'base64'))).toBe(true);
  });

  it('are signed by both secrets for a day after a rotation, then by the new one', async () => {
    const { id, secret } = await subscribe();
    const rotated = await call('POST', `/subscriptions/${id}/rotate-secret`);
    const secrets = [secret, String(rotated.body['secret'])];
    const verifies = (request: Received | undefined) =>
      secrets.map((one) => {
        try {
          new Webhook(one).verify(request?.text ?? '', request?.headers ?? {});
          return true;
        } catch {
          return false;
        }
      });
    await createRole();
    const [first] = await receiver.waitFor('iam.role.created');
    expect(verifies(first)).toEqual([true, true]);
    await app.sql("UPDATE webhook_endpoints SET previous_until = now() - interval '1 second'");
    await createRole();
    const [, second] = await receiver.waitFor('iam.role.created', 2);
    expect(verifies(second)).toEqual([false, true]);
    const stored = JSON.stringify(await app.sql('SELECT * FROM webhook_endpoints'));
    for (const one of secrets) expect(stored).not.toContain(one.slice(6));
    expect(JSON.stringify(await read(id))).not.toContain('whsec_');
    const previous = 'SELECT sealed_previous AS sealed FROM webhook_endpoints WHERE id = $1';
    const young = await subscribe();
    await call('POST', `/subscriptions/${young.id}/rotate-secret`);
    await app.app.get(CleanupService, { strict: false }).run();
    expect(await app.sql(previous, [id])).toEqual([{ sealed: null }]);
    expect(await app.sql(previous, [young.id])).toEqual([{ sealed: expect.any(String) }]);
  });

  it('are signed by the last two secrets of several rotations at a time', async () => {
    const { id, secret } = await subscribe();
    const rotate = () => call('POST', `/subscriptions/${id}/rotate-secret`);
    const answers = await Promise.all([rotate(), rotate(), rotate()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await createRole();
    const [{ text, headers } = { text: '', headers: {} }] = await receiver.waitFor('iam.role.created');
    const verifies = (by: string): boolean => {
      try {
        return Boolean(new Webhook(by).verify(text, headers));
      } catch {
        return false;
      }
    };
    const fit = answers.filter(({ body }) => verifies(String(body['secret'])));
    expect([fit.length, verifies(secret)]).toEqual([2, false]);
  });

  it('are sent again once by several requests at a time', async () => {
    const { id } = await subscribe();
    await createRole();
    const delivery = await finished(id, 'delivered');
    receiver.answer = () => undefined;
    const redeliver = () => call('POST', `/deliveries/${String(delivery['id'])}/redeliver`);
    const answers = await Promise.all(Array.from({ length: 5 }, redeliver));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409, 409, 409, 409]);
    await receiver.waitFor('iam.role.created', 2);
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
  });

  it('are sent again by the schedule, with the same id and body, until they are given up', async () => {
    receiver.answerWith(500);
    const { id } = await subscribe();
    await createRole();
    const schedule = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400];
    for (const [n, seconds] of schedule.entries()) {
      await receiver.waitFor('iam.role.created', n + 1);
      const waiting = async () =>
        (
          await app.sql<{ delay: number; attempts: number }>(
            `SELECT attempts, extract(epoch FROM due_at - now())::float8 AS delay FROM webhook_deliveries WHERE endpoint_id = $1`,
            [id],
          )
        )[0];
      await eventually('the attempt is recorded', async () => (await waiting())?.attempts === n + 1);
      const delay = (await waiting())?.delay ?? 0;
      expect(delay).toBeGreaterThan(seconds * 0.8 - 3);
      expect(delay).toBeLessThanOrEqual(seconds * 1.2);
      await hurry();
    }
    const delivery = await finished(id, 'dead');
    expect(delivery).toMatchObject({ attempts: 9, lastStatus: 500, lastError: 'status' });
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    receiver.answerWith(200);
    expect((await call('POST', `/deliveries/${String(delivery['id'])}/redeliver`)).status).toBe(202);
    await finished(id, 'delivered');
  });

  it.each<[string, number, Record<string, string>, object, object]>([
    ['a redirect', 302, { location: 'http://127.0.0.1:1/' }, { state: 'due', lastError: 'redirect' }, {}],
    ['410', 410, {}, { state: 'dead' }, { status: 'disabled', reason: 'gone' }],
    [
      'webhook-delivery: disable',
      500,
      { 'webhook-delivery': 'disable' },
      { state: 'dead' },
      { status: 'disabled', reason: 'refused-by-receiver' },
    ],
    [
      'webhook-delivery: disable, with success',
      200,
      { 'webhook-delivery': 'disable' },
      { state: 'delivered' },
      { status: 'disabled', reason: 'refused-by-receiver' },
    ],
    ['abort-message', 500, { 'webhook-delivery': 'abort-message' }, { state: 'dead' }, { status: 'active' }],
  ])('follow the answer %s', async (_, status, headers, delivery, subscription) => {
    receiver.answerWith(status, headers);
    const { id } = await subscribe();
    await createRole();
    await eventually(
      'the answer is recorded',
      async () => (await deliveries(id))[0]?.['lastStatus'] === status,
    );
    expect((await deliveries(id))[0]).toMatchObject(delivery);
    await eventually('the subscription says so', async () => {
      const found = await read(id);
      return Object.entries(subscription).every(([key, value]) => found[key] === value);
    });
    expect(receiver.received).toHaveLength(1);
  });

  it('wait as long as a receiver asks, up to an hour', async () => {
    receiver.answerWith(503, { 'retry-after': '9000' });
    const { id } = await subscribe();
    await createRole();
    const delay = async () =>
      (
        await app.sql<{ delay: number }>(
          'SELECT extract(epoch FROM due_at - now())::float8 AS delay FROM webhook_deliveries WHERE endpoint_id = $1 AND attempts = 1',
          [id],
        )
      )[0]?.delay ?? 0;
    await eventually('the retry waits', async () => (await delay()) > 3_500);
    expect(await delay()).toBeLessThanOrEqual(3_600);
  });

  it.each<[string, (request: Received, response: import('node:http').ServerResponse) => void, string]>([
    ['resets the connection', (_, { socket }) => void socket?.destroy(), 'connection-reset'],
    ['answers garbage', (_, { socket }) => void socket?.end('garbage\r\n\r\n'), 'invalid-response'],
  ])('record the reason where a receiver %s', async (_, answer, reason) => {
    receiver.answer = answer;
    const { id } = await subscribe();
    await createRole();
    await eventually(
      'it is recorded',
      async () => typeof (await deliveries(id))[0]?.['lastError'] === 'string',
    );
    expect((await deliveries(id))[0]).toMatchObject({ lastError: reason, state: 'due' });
  });

  it('have 15 s', async () => {
    const outbound = app.app.get(OutboundPost, { strict: false });
    const post = jest.spyOn(outbound, 'post');
    const { id } = await subscribe();
    await createRole();
    await finished(id, 'delivered');
    const times = post.mock.calls
      .filter(([url]) => url === receiver.url)
      .map(([, { timeoutMs }]) => timeoutMs);
    expect(times).toEqual([15_000]);
    post.mockRestore();
  });

  it('of events that are too large are given up, and nothing of them is sent', async () => {
    const { id } = await subscribe();
    const add = (eventId: string, bytes: number) =>
      app.sql(
        "INSERT INTO events (id, type, tenant_ids, subject, data) VALUES ($1, 'iam.role.created', ARRAY[$2], 'iam/roles/1', jsonb_build_object('name', repeat('x', $3::int)))",
        [eventId, organization.id, bytes],
      );
    await add('01K3V9D7Q8Z4X5N6M7P8R9S0A1', 20_480);
    await add('01K3V9D7Q8Z4X5N6M7P8R9S0A2', 20_000);
    await receiver.waitFor('iam.role.created');
    await eventually('both are over', async () => {
      const found = await deliveries(id);
      return found.length === 2 && found.every(({ state }) => state === 'dead' || state === 'delivered');
    });
    const found = (await deliveries(id)).map(({ eventId, state, lastStatus, lastError }) => ({
      eventId,
      state,
      lastStatus,
      lastError,
    }));
    expect(found).toEqual(
      expect.arrayContaining([
        {
          eventId: '01K3V9D7Q8Z4X5N6M7P8R9S0A1',
          state: 'dead',
          lastStatus: null,
          lastError: 'event-too-large',
        },
        { eventId: '01K3V9D7Q8Z4X5N6M7P8R9S0A2', state: 'delivered', lastStatus: 204, lastError: null },
      ]),
    );
    expect(receiver.received.map(({ body }) => body.id)).toEqual(['01K3V9D7Q8Z4X5N6M7P8R9S0A2']);
  });

  it('keep one KiB of an endless answer', async () => {
    receiver.answer = (_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'.repeat(10_000)), 1);
      response.on('close', () => clearInterval(timer));
    };
    const { id } = await subscribe();
    await createRole();
    const delivery = await finished(id, 'delivered');
    const [attempt] = await attempts(delivery['id']);
    expect(attempt?.excerpt).toBe('x'.repeat(1_024));
  });

  describe('in order', () => {
    const held = async (ordering: string): Promise<string[]> => {
      const { id } = await subscribe({ ordering });
      const [first, second] = [await createRole(), await createRole()];
      receiver.answer = ({ body }, response) =>
        void response.writeHead(body.data['roleId'] === first ? 500 : 200).end();
      const rename = (roleId: string) => organization.call('PATCH', `/roles/${roleId}`, { name: 'New' });
      await receiver.waitFor('iam.role.created', ordering === 'endpoint' ? 1 : 2);
      await rename(first);
      await rename(second);
      await eventually('all are added', async () => (await deliveries(id)).length === 4);
      return [first, second];
    };
    const updated = () => receiver.ofType('iam.role.updated').map(({ body }) => body.data['roleId']);

    it('by subject, a failing delivery holds back its subject alone', async () => {
      receiver.answerWith(500);
      const [first, second] = await held('subject');
      await eventually('the other subject goes on', () => updated().includes(second));
      expect(updated()).not.toContain(first);
      receiver.answerWith(200);
      await hurry();
      await eventually('the first follows', () => updated().includes(first));
    });

    it('by subscription, a failing delivery holds back all', async () => {
      receiver.answerWith(500);
      const [first, second] = await held('endpoint');
      expect(updated()).toEqual([]);
      receiver.answerWith(200);
      await hurry();
      await eventually('all follow', () => updated().length === 2);
      expect(updated()).toEqual([first, second]);
      const delivered = receiver.received.slice(-4).map(({ body }) => body.sequence);
      expect(delivered).toEqual(delivered.toSorted((one, other) => one - other));
    });

    it('of none, nothing waits', async () => {
      receiver.answerWith(500);
      const [first, second] = await held('none');
      await eventually('both are tried', () => updated().length >= 2);
      expect(new Set(updated())).toEqual(new Set([first, second]));
    });
  });

  it('that fail 20 times in a row are probed once a minute, and go on in full after one success', async () => {
    receiver.answerWith(500);
    const { id } = await subscribe();
    await app.sql('UPDATE webhook_endpoints SET failures = 19 WHERE id = $1', [id]);
    await createRole();
    await eventually('it is failing', async () => (await read(id))['status'] === 'failing');
    await createRole();
    await eventually('the second is added', async () => (await deliveries(id)).length === 2);
    await hurry();
    const { length: before } = receiver.received;
    const probe = () => app.sql('UPDATE webhook_endpoints SET probe_at = now() WHERE id = $1', [id]);
    await probe();
    await eventually('one probe is sent', () => receiver.received.length === before + 1);
    receiver.answerWith(200);
    await eventually('it waits again', async () => {
      const rows = await app.sql(
        "SELECT 1 FROM webhook_endpoints WHERE id = $1 AND failures = 21 AND probe_at > now() + interval '50 seconds'",
        [id],
      );
      return rows.length === 1;
    });
    expect(receiver.received).toHaveLength(before + 1);
    expect((await deliveries(id)).map(({ attempts: count }) => count).toSorted()).toEqual([0, 1]);
    await probe();
    await eventually('both are delivered', async () => {
      await hurry();
      return (await deliveries(id)).every(({ state }) => state === 'delivered');
    });
    expect(await read(id)).toMatchObject({ status: 'active', failingSince: null });
  });

  it('that fail for five days are disabled: others get an event, and the owners get a mail', async () => {
    const other = await WebhookReceiver.start();
    await subscribe({ url: other.url, types: ['webhooks.*'] });
    receiver.answerWith(500);
    const { id } = await subscribe();
    await app.sql(
      "UPDATE webhook_endpoints SET failures = 500, status = 'failing', failing_since = now() - interval '5 days', probe_at = now() WHERE id = $1",
      [id],
    );
    const { email } = organization.owner.person;
    const { length: mails } = await app.mails(email);
    await createRole();
    await eventually('it is disabled', async () => (await read(id))['reason'] === 'failing');
    const [event] = await other.waitFor('webhooks.subscription.disabled');
    expect(event?.body.data).toEqual({ subscriptionId: id, reason: 'failing' });
    expect((await app.mails(email, mails + 1)).at(-1)).toContain('webhook');
    receiver.answerWith(200);
    expect((await call('PATCH', `/subscriptions/${id}`, { enabled: true })).body['status']).toBe('failing');
    await eventually('it is active again', async () => (await read(id))['status'] === 'active');
    await other.stop();
  });

  it('have five days from the first failure, also after a subscription was enabled', async () => {
    const { id } = await subscribe({ enabled: false });
    const enabled = await call('PATCH', `/subscriptions/${id}`, { enabled: true });
    expect(enabled.body).toMatchObject({ status: 'failing', failingSince: null });
    await app.sql(
      "UPDATE webhook_endpoints SET failing_since = failing_since - interval '6 days' WHERE id = $1",
      [id],
    );
    receiver.answerWith(500);
    await createRole();
    await eventually('it has failed', async () => (await read(id))['failingSince'] !== null);
    expect(await read(id)).toMatchObject({ status: 'failing', reason: null });
    const failingFor = (interval: string) =>
      app.sql(
        `UPDATE webhook_endpoints SET failing_since = now() - interval '${interval}', failures = 30, probe_at = now() WHERE id = $1`,
        [id],
      );
    await failingFor('4 days 23 hours');
    await hurry();
    await eventually('it has failed again', async () => {
      const [row] = await app.sql<{ failures: number }>(
        'SELECT failures FROM webhook_endpoints WHERE id = $1',
        [id],
      );
      return row?.failures === 31;
    });
    expect(await read(id)).toMatchObject({ status: 'failing', reason: null });
    await failingFor('5 days');
    await hurry();
    await eventually('it is disabled', async () => (await read(id))['reason'] === 'failing');
  });

  it('of a test reach this subscription alone, marked', async () => {
    const other = await WebhookReceiver.start();
    await subscribe({ url: other.url });
    const { id } = await subscribe();
    const sent = await call('POST', `/subscriptions/${id}/test`, { type: 'iam.member.joined' });
    expect(sent.status).toBe(202);
    const [request] = await receiver.waitFor('iam.member.joined');
    expect(request?.body.data['test']).toBe(true);
    expect((await deliveries(id))[0]).toMatchObject({ id: sent.body['deliveryId'], test: true });
    await createRole();
    await other.waitFor('iam.role.created');
    await receiver.waitFor('iam.role.created'); // before it refuses
    expect(other.received).toHaveLength(1);
    await other.stop();
    await receiver.waitFor('iam.role.created'); // whose failure would count
    receiver.answerWith(500);
    expect((await call('POST', `/subscriptions/${id}/test`, {})).status).toBe(202);
    expect(await finished(id, 'dead')).toMatchObject({ test: true, attempts: 1, lastStatus: 500 });
    const failures = await app.sql('SELECT failures FROM webhook_endpoints WHERE id = $1', [id]);
    expect(failures).toEqual([{ failures: 0 }]);
  });

  it('that were missed are delivered again since a time, once, and the replay can be stopped', async () => {
    const { id } = await subscribe({ enabled: false });
    const since = new Date(Date.now() - 60_000).toISOString();
    await Promise.all([createRole(), createRole(), createRole()]);
    await eventually('they are in the feed', async () => (await feedTypes()).length === 3);
    expect((await call('PATCH', `/subscriptions/${id}`, { enabled: true })).status).toBe(200);
    const recover = () => call('POST', `/subscriptions/${id}/recover`, { since });
    expect((await recover()).status).toBe(202);
    await receiver.waitFor('iam.role.created', 3);
    await recover();
    expect((await call('DELETE', `/subscriptions/${id}/recover`)).status).toBe(204);
    await createRole();
    await receiver.waitFor('iam.role.created', 4);
    expect(receiver.received).toHaveLength(4);
    const recoverDays = async (days: number) => {
      const ago = { since: new Date(Date.now() - days * 86_400_000).toISOString() };
      const { status, body } = await call('POST', `/subscriptions/${id}/recover`, ago);
      if (status === 400) expect(body['violations']).toMatchObject([{ propertyPath: 'since' }]);
      return status;
    };
    expect([await recoverDays(30.1), await recoverDays(29.9)]).toEqual([400, 202]);
    expect([await recoverDays(-0.01), await recoverDays(0)]).toEqual([400, 202]);
  });

  const feedTypes = async (token?: string, query = 'types=iam.role.*'): Promise<string[]> =>
    itemsOf<{ type: string }>(await call('GET', `/events?${query}`, undefined, token)).map(
      ({ type }) => type,
    );

  it('can be pulled: pages in order, from a cursor that is valid at the end as well', async () => {
    await createRole();
    await createRole();
    await eventually('they are numbered', async () => (await feedTypes()).length === 2);
    const first = await call('GET', '/events?types=iam.role.*&limit=1');
    expect(first.body['more']).toBe(true);
    const second = await call('GET', `/events?types=iam.role.*&cursor=${String(first.body['nextCursor'])}`);
    expect(itemsOf(second)).toHaveLength(1);
    const end = String(second.body['nextCursor']);
    expect(itemsOf(await call('GET', `/events?types=iam.role.*&cursor=${end}`))).toEqual([]);
    await createRole();
    await eventually('the next one follows', async () => {
      return itemsOf(await call('GET', `/events?types=iam.role.*&cursor=${end}`)).length === 1;
    });
  });

  it('are not pulled by a cursor that is none, or by types that do not exist', async () => {
    const cursorOf = (text: string) => `cursor=${Buffer.from(text).toString('base64url')}`;
    await createRole();
    await eventually('it is numbered', async () => (await feedTypes()).length === 1);
    const readBy = async (query: string) => {
      const { status, body } = await call('GET', `/events?${query}`);
      return status === 200 ? itemsOf(await call('GET', `/events?${query}`)).length : body['violations'];
    };
    for (const text of ['-1', '1e3', '1.5', ' 1', '0x1', 'NaN', '9'.repeat(16), '1;', 'x'])
      expect([text, await readBy(cursorOf(text))]).toEqual([
        text,
        [{ propertyPath: 'cursor', message: expect.any(String) }],
      ]);
    expect(await readBy(`${cursorOf('0')}&types=iam.role.created,iam.role.deleted`)).toBe(1);
    expect(await readBy(cursorOf('9'.repeat(15)))).toBe(0);
    for (const types of [
      'iam.role.creatd',
      'iam.role.cre*',
      'iam.*.created',
      'iam.role.*,no.such.type',
      'iam.satellite.*',
    ])
      expect([types, await readBy(`types=${types}`)]).toEqual([
        types,
        [{ propertyPath: 'types', message: 'There is no such type of events.' }],
      ]);
  });

  it('add personal data at delivery if asked, and none of an erased person', async () => {
    await subscribe({ types: ['iam.member.*', 'iam.account.*'], includePersonalData: true });
    const plain = await WebhookReceiver.start();
    await subscribe({ url: plain.url, types: ['iam.member.*'] });
    const member = await organization.join('member');
    const [joined] = await receiver.waitFor('iam.member.joined');
    expect(joined?.body.data['person']).toEqual({
      email: member.person.email,
      firstName: 'Ada',
      lastName: null,
      displayName: null,
      name: 'Ada',
    });
    const [without] = await plain.waitFor('iam.member.joined');
    expect(without?.text).not.toContain(member.person.email);
    // The text without personal data is shared by subscriptions.
    const bodies = app.app.get(EventBodies, { strict: false });
    const { id: eventId = '', type = '', sequence = 0 } = joined?.body ?? {};
    const of = { tenantId: organization.id as TenantId, eventId, type, sequence, isTest: false };
    const [event = null] = await bodies.findEvents([{ ...of, personalData: true }]);
    for (const personalData of [true, false, true]) {
      const text = await bodies.textOf({ ...of, personalData }, event);
      expect(text?.includes(member.person.email)).toBe(personalData);
    }
    receiver.answerWith(500);
    await organization.call('PATCH', `/members/${member.person.id}`, { roles: ['admin'] });
    await receiver.waitFor('iam.member.roles-changed');
    const erased = await app.call('DELETE', '/api/v1/iam/auth/account', undefined, {
      token: member.person.token,
    });
    expect(erased.status).toBeLessThan(300);
    receiver.answerWith(200);
    await hurry();
    const again = await receiver.waitFor('iam.member.roles-changed', 2);
    expect(again.at(-1)?.text).not.toContain(member.person.email);
    const [gone] = await receiver.waitFor('iam.account.erased');
    expect(gone?.body.data).toEqual({ userId: member.person.id });
    const stored = JSON.stringify([
      await app.sql('SELECT * FROM events'),
      await app.sql('SELECT * FROM webhook_deliveries'),
      await app.sql('SELECT * FROM webhook_attempts'),
    ]);
    const { body: feed } = await call('GET', '/events?types=iam.member.*,iam.account.*&limit=100');
    expect(feed['items']).not.toEqual([]);
    for (const text of [stored, JSON.stringify(feed)]) expect(text).not.toContain(member.person.email);
    await plain.stop();
  });

  describe('keep to scopes and organizations:', () => {
    it('a subscriber must hold the read scope of each type', async () => {
      const scopes = ['webhooks:subscription:create', 'webhooks:subscription:read', 'iam:role:read'];
      await organization.call('POST', '/roles', { key: 'hooks', name: 'Hooks', scopes });
      const { token } = await organization.join('hooks');
      const denied = await call('POST', '/subscriptions', { url: receiver.url, types: ['*'] }, token);
      expect(denied.status).toBe(400);
      expect(JSON.stringify(denied.body)).toContain('types[0]');
      await subscribe({}, token);
      expect(
        (await call('POST', '/subscriptions', { url: receiver.url, types: ['no.such.type'] })).status,
      ).toBe(400);
    });

    it('a new secret is for callers who may read the events of the subscription', async () => {
      const scopes = ['webhooks:subscription:read', 'webhooks:subscription:rotate', 'iam:role:read'];
      await organization.call('POST', '/roles', { key: 'rotators', name: 'Rotators', scopes });
      const { token } = await organization.join('rotators');
      const { id } = await subscribe({ types: ['iam.role.*', 'iam.invitation.*'] });
      const readable = await subscribe({ types: ['iam.role.*'] });
      const rotate = (of: string) => call('POST', `/subscriptions/${of}/rotate-secret`, undefined, token);
      const refused = await rotate(id);
      expect(refused.status).toBe(403);
      expect(JSON.stringify(refused.body)).toContain('iam:invitation:read');
      const probe = async (of: string) => {
        const subject = `gatehouse:///webhooks/subscriptions/${of}`;
        const asked = { subject, scopes: ['webhooks:subscription:rotate'] };
        return JSON.stringify((await app.call('POST', '/api/auth/can', asked, { token })).body);
      };
      expect(await probe(id)).toContain('iam:invitation:read');
      expect(await probe(readable.id)).not.toContain('iam:invitation:read');
      expect((await rotate(readable.id)).status).toBe(200);
      const kept = 'SELECT sealed_previous IS NULL AS "isKept" FROM webhook_endpoints WHERE id = $1';
      expect(await app.sql(kept, [id])).toEqual([{ isKept: true }]);
    });

    it('nothing of a deleted subscription is kept that signs or leads to its receiver', async () => {
      const { id } = await subscribe({ description: 'for the warehouse' });
      expect((await call('POST', `/subscriptions/${id}/rotate-secret`)).status).toBe(200);
      expect((await call('DELETE', `/subscriptions/${id}`)).status).toBe(204);
      const left = await app.sql(
        'SELECT url, description, sealed_secret AS secret, sealed_previous AS previous FROM webhook_endpoints WHERE id = $1',
        [id],
      );
      expect(left).toEqual([{ url: '', description: null, secret: '', previous: null }]);
    });

    it('a subscription stops with a reason when its creator loses the scope', async () => {
      const admin = await organization.join('admin');
      const { id } = await subscribe({ types: ['iam.invitation.*', 'iam.role.*'] }, admin.token);
      await organization.call('PATCH', `/members/${admin.person.id}`, { roles: ['member'] });
      await eventually('it is disabled', async () => (await read(id))['reason'] === 'scope-lost');
      await createRole();
      await eventually('the event is there', async () => (await feedTypes()).length > 0);
      expect(receiver.received).toEqual([]);
      expect((await call('PATCH', `/subscriptions/${id}`, { enabled: true })).status).toBe(200);
      await createRole();
      await receiver.waitFor('iam.role.created');
    });

    it('another organization sees neither subscriptions nor deliveries nor events', async () => {
      const { id } = await subscribe();
      await createRole();
      const delivery = await finished(id, 'delivered');
      const stranger = await Organization.found(app);
      const { token } = stranger.owner;
      for (const [method, path] of [
        ['GET', `/subscriptions/${id}`],
        ['PATCH', `/subscriptions/${id}`],
        ['DELETE', `/subscriptions/${id}`],
        ['POST', `/subscriptions/${id}/rotate-secret`],
        ['POST', `/subscriptions/${id}/test`],
        ['GET', `/subscriptions/${id}/deliveries`],
        ['DELETE', `/subscriptions/${id}/recover`],
        ['GET', `/deliveries/${String(delivery['id'])}`],
        ['POST', `/deliveries/${String(delivery['id'])}/redeliver`],
      ] as const) {
        const body = method === 'PATCH' || path.endsWith('/test') ? {} : undefined;
        expect([method, path, (await call(method, path, body, token)).status]).toEqual([method, path, 404]);
      }
      expect(itemsOf(await call('GET', '/subscriptions', undefined, token))).toEqual([]);
      expect(await feedTypes(token)).toEqual([]);
    });

    it('a delivery shows what is sent, without personal data, to those who may read its type', async () => {
      const { id } = await subscribe({ types: ['iam.invitation.*'], includePersonalData: true });
      const invitation = { email: 'invited@example.com', roles: ['member'] };
      await organization.call('POST', '/invitations', invitation);
      const { body: sent } = await receiver.waitFor('iam.invitation.created').then(([one]) => one!);
      const delivery = await finished(id, 'delivered');
      const path = `/deliveries/${String(delivery['id'])}`;
      const { person: _, ...data } = sent.data as Record<string, unknown>;
      expect((await call('GET', path)).body['event']).toEqual({ ...sent, data });
      await organization.call('POST', '/roles', {
        key: 'watch',
        name: 'Watch',
        scopes: ['webhooks:delivery:read'],
      });
      const { token } = await organization.join('watch');
      expect((await call('GET', path, undefined, token)).body).toMatchObject({
        id: delivery['id'],
        event: null,
      });
    });

    it('a member without scopes reads no event', async () => {
      const member = await organization.join('member');
      expect((await call('GET', '/events', undefined, member.token)).status).toBe(403);
    });
  });

  it('of an archived organization wait, and go on once it is restored', async () => {
    const { id } = await subscribe({ types: ['iam.*'] });
    await organization.call('POST', '/archive');
    await eventually('it is paused', async () => (await read(id))['status'] === 'paused');
    const { length: before } = receiver.received;
    await app.sql('UPDATE webhook_deliveries SET state = $2, due_at = now() WHERE endpoint_id = $1', [
      id,
      'due',
    ]);
    const waits = async () => (await deliveries(id)).every(({ state }) => state === 'due');
    expect(await waits()).toBe(true);
    await organization.call('POST', '/restore');
    await receiver.waitFor('iam.tenant.restored');
    expect(receiver.received.length).toBeGreaterThan(before);
    expect(receiver.ofType('iam.tenant.archived')).not.toEqual([]);
  });

  it('of two replicas are never sent twice at a time', async () => {
    const settings = { ROOT_SECRET, DATABASE_URL: app.databaseUrl, WEBHOOK_TRUSTED_HOSTS: '127.0.0.1' };
    const other = await TestApp.start(settings);
    const open = new Map<string, number>();
    let overlaps = 0;
    receiver.answer = ({ body }, response) => {
      const count = (open.get(body.id) ?? 0) + 1;
      open.set(body.id, count);
      if (count > 1) overlaps += 1;
      setTimeout(() => {
        open.set(body.id, count - 1);
        response.writeHead(204).end();
      }, 5);
    };
    const { id } = await subscribe({ ordering: 'none' });
    try {
      for (let rounds = 10; rounds > 0; rounds -= 1) await Promise.all(Array.from({ length: 4 }, createRole));
      await receiver.waitFor('iam.role.created', 40);
      await eventually('all are recorded', async () =>
        (await deliveries(id)).every(({ state }) => state === 'delivered'),
      );
    } finally {
      await other.stop();
    }
    expect([overlaps, receiver.received.length]).toEqual([0, 40]);
  });

  it('return at once if their events cannot be read, also while the lease runs', async () => {
    const { id } = await subscribe();
    const read = jest.spyOn(app.app.get(EventBodies, { strict: false }), 'findEvents');
    read.mockRejectedValueOnce(new Error('The database does not answer.'));
    await createRole();
    await receiver.waitFor('iam.role.created');
    expect(await finished(id, 'delivered')).toMatchObject({ attempts: 1 });
    expect(read.mock.results.length).toBeGreaterThan(1);
    read.mockRestore();
  });

  it('that a killed replica had claimed return after their lease', async () => {
    const { id } = await subscribe({ enabled: false });
    await call('PATCH', `/subscriptions/${id}`, { enabled: true });
    await app.sql(
      "INSERT INTO webhook_deliveries (tenant_id, id, endpoint_id, event_id, type, sequence, is_test, state, lease_until) VALUES ($1, $2, $3, $2, 'iam.role.created', 0, true, 'claimed', now() + interval '1 second')",
      [organization.id, '01K3V9D7Q8Z4X5N6M7P8R9S0T8', id],
    );
    await receiver.waitFor('iam.role.created');
    await finished(id, 'delivered');
  });

  it('go with a deleted subscription, and expire', async () => {
    const { id } = await subscribe();
    await createRole();
    await finished(id, 'delivered');
    expect((await call('DELETE', `/subscriptions/${id}`)).status).toBe(204);
    expect((await call('GET', `/subscriptions/${id}`)).status).toBe(404);
    await app.app.get(CleanupService, { strict: false }).run();
    expect(await app.sql('SELECT 1 FROM webhook_endpoints WHERE id = $1', [id])).toEqual([]);
    expect(await app.sql('SELECT 1 FROM webhook_deliveries WHERE endpoint_id = $1', [id])).toEqual([]);

    const kept = await subscribe();
    await createRole();
    const of = [(await finished(kept.id, 'delivered'))['id']];
    const leftAfter = async (change: string): Promise<[number, number]> => {
      await app.sql(change, of);
      await app.app.get(CleanupService, { strict: false }).run();
      const found = await app.sql('SELECT 1 FROM webhook_deliveries WHERE id = $1', of);
      return [
        found.length,
        (await app.sql('SELECT 1 FROM webhook_attempts WHERE delivery_id = $1', of)).length,
      ];
    };
    const ago = (days: number) => `now() - interval '${days} days'`;
    const tried = (days: number) => `UPDATE webhook_attempts SET at = ${ago(days)} WHERE delivery_id = $1`;
    const made = (days: number) => `UPDATE webhook_deliveries SET created_at = ${ago(days)} WHERE id = $1`;
    expect(await leftAfter(tried(13))).toEqual([1, 1]);
    expect(await leftAfter(tried(15))).toEqual([1, 0]);
    expect(await leftAfter(made(29))).toEqual([1, 0]);
    expect(await leftAfter(made(31))).toEqual([0, 0]);
  });

  it('go with a deleted subscription, which stays as long as one cannot be removed yet', async () => {
    const { id } = await subscribe();
    await createRole();
    await finished(id, 'delivered');
    await call('DELETE', `/subscriptions/${id}`);
    const cleanUp = () => app.app.get(CleanupService, { strict: false }).run();
    const left = () => app.sql('SELECT status FROM webhook_endpoints WHERE id = $1', [id]);
    const database = app.app.get(Database, { strict: false });
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = database.transaction(async () => {
      await database.rows('SELECT 1 FROM webhook_deliveries WHERE endpoint_id = $1 FOR UPDATE', [id]);
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    await cleanUp().finally(() => release.resolve());
    await holding;
    expect(await left()).toEqual([{ status: 'deleted' }]);
    await cleanUp();
    expect(await left()).toEqual([]);
  });

  it('can be at most 50 for an organization', async () => {
    await app.sql(
      `INSERT INTO webhook_endpoints (tenant_id, id, url, types, sealed_secret, created_by)
       SELECT $1, 'many-' || n, 'https://example.com', '{}', '', '' FROM generate_series(1, 50) n`,
      [organization.id],
    );
    const { status } = await call('POST', '/subscriptions', { url: receiver.url, types: ['iam.role.*'] });
    expect(status).toBe(409);
    await app.sql(
      "UPDATE webhook_endpoints SET status = 'deleted' WHERE tenant_id = $1 AND id IN ('many-1', 'many-2')",
      [organization.id],
    );
    const together = await Promise.all(
      Array.from({ length: 6 }, () =>
        call('POST', '/subscriptions', { url: receiver.url, types: ['iam.role.*'] }),
      ),
    );
    expect(together.map((answer) => answer.status).toSorted()).toEqual([201, 201, 409, 409, 409, 409]);
  });

  describe('of an invitation that expires', () => {
    const invite = async (email: string): Promise<string> =>
      String((await organization.call('POST', '/invitations', { email, roles: ['member'] })).body['id']);
    const expire = (id: string) =>
      app.sql("UPDATE invitations SET expires_at = now() - interval '1 second' WHERE id = $1", [id]);
    const cleanUp = () => app.app.get(CleanupService, { strict: false }).run();
    const expired = () =>
      receiver.ofType('iam.invitation.expired').map(({ body }) => body.data['invitationId']);
    beforeEach(() => subscribe({ types: ['iam.invitation.*'] }));

    it('is an event, once, by the cleanup', async () => {
      const [open, late] = [await invite('open@example.com'), await invite('late@example.com')];
      await expire(late);
      await cleanUp();
      await receiver.waitFor('iam.invitation.expired');
      await cleanUp();
      await organization.call('POST', `/invitations/${late}/resend`);
      await receiver.waitFor('iam.invitation.resent');
      expect(expired()).toEqual([late]);
      await expire(late);
      await cleanUp();
      await receiver.waitFor('iam.invitation.expired', 2);
      expect(expired()).toEqual([late, late]);
      expect(expired()).not.toContain(open);
    });

    it('is an event, once, if the address is invited again before', async () => {
      const first = await invite('again@example.com');
      await expire(first);
      const second = await invite('again@example.com');
      await receiver.waitFor('iam.invitation.expired');
      await cleanUp();
      await organization.call('DELETE', `/invitations/${second}`);
      await receiver.waitFor('iam.invitation.revoked');
      expect(expired()).toEqual([first]);
    });
  });

  describe('of the platform', () => {
    const operators = (method: string, path: string, body: unknown, token: string): Promise<Answer> =>
      app.call(method, `/api/v1/operator/webhooks${path}`, body, { token });

    it('are for operators, of the types that concern the platform', async () => {
      const operator = await Person.signUp(app);
      const given = { url: receiver.url, types: ['iam.tenant.*'] };
      expect((await operators('POST', '/subscriptions', given, operator.token)).status).toBe(403);
      await app.app.get(OperatorService, { strict: false }).grant(operator.email);
      const created = await operators('POST', '/subscriptions', given, operator.token);
      expect(created.status).toBe(201);
      const founded = await Organization.found(app);
      await eventually('it is received', () =>
        receiver.received.some(({ body }) => body.data['organizationId'] === founded.id),
      );
      expect(receiver.received[0]?.body.tenantId).toBeNull();
      const members = { url: receiver.url, types: ['iam.member.*'] };
      expect((await operators('POST', '/subscriptions', members, operator.token)).status).toBe(400);
      const test = async (type: string) =>
        (
          await operators(
            'POST',
            `/subscriptions/${String(created.body['id'])}/test`,
            { type },
            operator.token,
          )
        ).status;
      expect([await test('iam.member.joined'), await test('iam.tenant.created')]).toEqual([400, 202]);
      const own = await call('GET', `/subscriptions/${String(created.body['id'])}`);
      expect(own.status).toBe(404);
    });

    it('are read by operators who may see them, by a restricted one no more', async () => {
      const operator = await Person.signUp(app);
      const service = app.app.get(OperatorService, { strict: false });
      const readers = app.app.get(EventReaders, { strict: false });
      const database = app.app.get(Database, { strict: false });
      const subscriber = { tenantId: PLATFORM, createdBy: operator.id as UserId };
      const types = ['iam.tenant.created'];
      const mayRead = async () => [
        await readers.mayRead(subscriber, types),
        await database.transaction(() => readers.mayReadForShare(subscriber, types)),
      ];
      expect(await mayRead()).toEqual([false, false]);
      for (const [scopes, expected] of [
        [['webhooks:operator-webhook:read'], true],
        [['platform:person:read'], false],
      ] as const) {
        await service.grant(operator.email, 'admin', scopes);
        await eventually('the rights count', async () => (await mayRead()).every((may) => may === expected));
      }
    });

    it('are made and tested by operators who may see them', async () => {
      const { token, email } = await Person.signUp(app);
      const restrictTo = (...names: string[]) =>
        app.app.get(OperatorService, { strict: false }).grant(
          email,
          'admin',
          names.map((name) => `webhooks:operator-webhook:${name}`),
        );
      const given = { url: receiver.url, types: ['iam.tenant.created'] };
      await restrictTo('manage');
      const refused = await operators('POST', '/subscriptions', given, token);
      expect([refused.status, refused.body['violations']]).toEqual([
        400,
        [
          {
            propertyPath: 'types[0]',
            message: 'It needs the permission webhooks:operator-webhook:read.',
          },
        ],
      ]);
      await restrictTo('manage', 'read');
      const created = await operators('POST', '/subscriptions', given, token);
      expect(created.status).toBe(201);
      const path = `/subscriptions/${String(created.body['id'])}`;
      const test = async () => (await operators('POST', `${path}/test`, {}, token)).status;
      expect(await test()).toBe(202);
      await restrictTo('manage');
      expect((await operators('PATCH', path, { types: ['iam.tenant.updated'] }, token)).status).toBe(400);
      expect([400, 409]).toContain(await test()); // 409 after its review
      const rotate = () => operators('POST', `${path}/rotate-secret`, undefined, token);
      await restrictTo('rotate');
      const denied = await rotate();
      expect(denied.status).toBe(403);
      expect(JSON.stringify(denied.body)).toContain('webhooks:operator-webhook:read');
      await restrictTo('rotate', 'read');
      expect((await rotate()).status).toBe(200);
    });

    it('are not found by the id of a delivery', async () => {
      const { token, email } = await Person.signUp(app);
      await app.app.get(OperatorService, { strict: false }).grant(email);
      const given = { url: receiver.url, types: ['iam.tenant.created'] };
      const created = await operators('POST', '/subscriptions', given, token);
      const test = { type: 'iam.tenant.created' };
      const sent = await operators('POST', `/subscriptions/${String(created.body['id'])}/test`, test, token);
      const deliveryId = String(sent.body['deliveryId']);
      const path = `/subscriptions/${deliveryId}`;
      const answers = await Promise.all([
        operators('GET', `/deliveries/${deliveryId}`, undefined, token),
        operators('GET', path, undefined, token),
        operators('GET', `${path}/deliveries`, undefined, token),
        operators('POST', `${path}/rotate-secret`, undefined, token),
        operators('POST', `${path}/recover`, { since: new Date().toISOString() }, token),
        operators('DELETE', `${path}/recover`, undefined, token),
        operators('DELETE', path, undefined, token),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 404, 404, 404, 404, 404, 404]);
      expect(answers[0].body['event']).toMatchObject({ tenantId: null });
    });
  });
});
