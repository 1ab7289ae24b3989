import { createPublicKey, randomBytes, verify, type webcrypto } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { newId, type TenantId } from '../../../src/kernel/index.js';
import { EventListener } from '../../../src/webhook/index.js';
import { Organization } from '../../support/organization.js';
import { eventually, withApp } from '../../support/test-app.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';

const ROOT_SECRET = randomBytes(32).toString('base64');
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;

describe('events:listen', () => {
  let organization: Organization;
  let receiver: WebhookReceiver;
  const app = withApp({ ROOT_SECRET, PORTAL: 'off' });
  beforeAll(async () => {
    organization = await Organization.found(app);
  });
  beforeEach(async () => void (receiver = await WebhookReceiver.start()));
  afterEach(() => receiver.stop());

  let counter = 0;
  const createRole = () =>
    organization.call('POST', '/roles', { key: `listen-${(counter += 1)}`, name: 'Clerk', scopes: [] });
  /** Listens while the work runs. */
  async function listening(
    options: { types?: string[]; secret?: string | null; organization?: null },
    work: (lines: string[]) => Promise<void>,
  ): Promise<object> {
    const lines: string[] = [];
    const stopping = new AbortController();
    const over = app.app.get(EventListener, { strict: false }).listen(
      {
        forwardTo: receiver.url,
        organization: organization.id as TenantId,
        types: [],
        secret: SECRET,
        ...options,
      },
      (line) => lines.push(line),
      stopping.signal,
    );
    await eventually('it listens', () => lines.length > 0);
    await work(lines);
    stopping.abort();
    return over;
  }

  it('forwards events from now on, in order, signed by the given secret', async () => {
    await createRole();
    const numbered = () =>
      app.sql(
        "SELECT 1 FROM event_entries n JOIN events e ON e.id = n.event_id WHERE e.type = 'iam.role.created' AND n.tenant_id = $1",
        [organization.id],
      );
    await eventually('the first is numbered', async () => (await numbered()).length === 1);
    const result = await listening({ types: ['iam.role.*'] }, async (lines) => {
      await createRole();
      await createRole();
      // The answers as well: the end of the work aborts a request without one.
      await eventually('both are reported', () => lines.length === 3);
    });
    expect(result).toEqual({ forwarded: 2, refused: 0 });
    const [first, second] = receiver.received;
    expect((second?.body.sequence ?? 0) - (first?.body.sequence ?? 0)).toBe(1);
    expect(first?.headers['webhook-id']).toBe(first?.body.id);
    new Webhook(SECRET).verify(first?.text ?? '', first?.headers ?? {});
  });

  it('signs by the key of the service without a secret', async () => {
    await listening({ secret: null }, async () => {
      await createRole();
      await receiver.waitFor('iam.role.created');
    });
    const [{ headers, text } = { headers: {} as Record<string, string>, text: '' }] = receiver.received;
    const keys = (await app.get('/.well-known/jwks.json')).body['keys'] as unknown as webcrypto.JsonWebKey[];
    const key = createPublicKey({ key: keys.find(({ kty }) => kty === 'OKP') ?? {}, format: 'jwk' });
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
    const [, signature = ''] = (headers['webhook-signature'] ?? '').split(',');
    expect(verify(null, Buffer.from(content), key, Buffer.from(signature, 'base64'))).toBe(true);
  });

  it('reports what the server refuses, and goes on', async () => {
    receiver.answerWith(500);
    const result = await listening({}, async (lines) => {
      await createRole();
      await eventually('it is reported', () => lines.some((line) => line.endsWith(': 500')));
      receiver.answerWith(204);
      await createRole();
      await receiver.waitFor('iam.role.created', 2);
      await eventually('it is reported', () => lines.some((line) => line.endsWith(': 204')));
    });
    expect(result).toEqual({ forwarded: 1, refused: 1 });
  });

  it('reports a redirect, which it does not follow, and a server that does not answer', async () => {
    const target = await WebhookReceiver.start();
    receiver.answerWith(307, { location: target.url });
    const result = await listening({}, async (lines) => {
      await createRole();
      await eventually('it is reported', () => lines.some((line) => line.endsWith(': 307')));
      receiver.answer = (_, response) => response.destroy();
      await createRole();
      await eventually('it is reported', () => lines.length === 3);
      receiver.answerWith(204);
      await createRole();
      await eventually('it is reported', () => lines.some((line) => line.endsWith(': 204')));
    });
    expect(result).toEqual({ forwarded: 1, refused: 2 });
    expect(target.received).toEqual([]);
    await target.stop();
  });

  it('forwards the types alone that it is asked for, each of them once', async () => {
    const types = ['iam.role.deleted', 'iam.tenant.*', 'iam.tenant.updated'];
    await listening({ types }, async () => {
      const { id } = (await createRole()).body;
      await organization.call('DELETE', `/roles/${String(id)}`);
      await organization.call('PATCH', '', { name: 'Renamed' });
      await receiver.waitFor('iam.tenant.updated');
    });
    expect(receiver.received.map(({ body }) => body.type)).toEqual([
      'iam.role.deleted',
      'iam.tenant.updated',
    ]);
  });

  it('forwards nothing more of a page once it is told to stop', async () => {
    await listening({}, async (lines) => {
      receiver.answer = () => undefined;
      await app.sql(
        `INSERT INTO events (id, type, tenant_ids, subject, data)
         SELECT $1 || n, 'iam.role.created', ARRAY[$2], 'iam/roles/1', '{}' FROM generate_series(1, 3) AS n`,
        ['01K3V9D7Q8Z4X5N6M7P8R9S0L', organization.id],
      );
      await receiver.waitFor('iam.role.created');
      expect(lines).toHaveLength(1);
    });
    expect(receiver.received).toHaveLength(1);
  });

  it('forwards events of the platform if no organization is named', async () => {
    await listening({ organization: null }, async () => {
      await createRole();
      await Organization.found(app);
      await receiver.waitFor('iam.tenant.created');
    });
    expect(receiver.ofType('iam.role.created')).toEqual([]);
    expect(receiver.received[0]?.body.tenantId).toBeNull();
  });

  it.each([
    [['--forward-to', 'localhost:4000'], '--forward-to'],
    [['--forward-to', 'ftp://localhost:4000'], '--forward-to'],
    [['--forward-to', 'http://127.0.0.1:4000', '--types', 'iam.rol*'], '--types'],
    [['--forward-to', 'http://127.0.0.1:4000', '--types', 'no.such.type'], '--types'],
    [['--forward-to', 'http://127.0.0.1:4000', '--secret', 'secret'], '--secret'],
    [
      ['--forward-to', 'http://127.0.0.1:4000', '--organization', newId()],
      '--organization: There is no such organization.',
    ],
    [
      ['--forward-to', 'http://127.0.0.1:4000', '--organization', ''],
      '--organization: There is no such organization.',
    ],
  ])('refuses %j', async (words, option) => {
    await expect(app.command('events:listen', ...words)).rejects.toThrow(option);
  });
});
