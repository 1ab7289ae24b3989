import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { freePort } from '../../support/built-service.js';
import { Organization } from '../../support/organization.js';
import { eventually, itemsOf, TestApp } from '../../support/test-app.js';
import { describeWith } from '../../support/tools.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';

interface Receiver {
  readonly program: string;
  readonly arguments: (port: number) => string[];
  readonly path: string;
  /** Status for what is not genuine. */
  readonly refuses: number;
}

const RECEIVERS: readonly Receiver[] = [
  { program: 'node', arguments: () => ['lab/webhooks/receiver.mjs'], path: '/', refuses: 400 },
  { program: 'python3', arguments: () => ['lab/webhooks/receiver.py'], path: '/', refuses: 400 },
  {
    program: 'php',
    arguments: (port) => ['-S', `127.0.0.1:${port}`, 'lab/webhooks/receiver.php'],
    path: '/',
    refuses: 400,
  },
  {
    program: 'webhook',
    arguments: (port) => ['-hooks', 'lab/webhooks/hooks.json', '-ip', '127.0.0.1', '-port', String(port)],
    path: '/hooks/gatehouse',
    refuses: 500,
  },
];

describeWith(['python3', 'php', 'ruby', 'webhook'], 'The receivers of docs/webhooks.md', () => {
  let app: TestApp;
  beforeAll(async () => {
    const ROOT_SECRET = randomBytes(32).toString('base64');
    app = await TestApp.start({ ROOT_SECRET, WEBHOOK_TRUSTED_HOSTS: '127.0.0.1', PORTAL: 'off' });
  });
  afterAll(() => app.stop());

  it.each(RECEIVERS)('$program accepts a delivery and refuses a forged one', async (receiver) => {
    const organization = await Organization.found(app);
    const call = (method: string, path: string, body?: object) =>
      app.call(method, `/api/v1/webhooks${path}`, body, { token: organization.owner.token });
    const port = await freePort();
    const url = `http://127.0.0.1:${port}${receiver.path}`;
    const witness = await WebhookReceiver.start();
    const subscribe = async (to: string) =>
      (await call('POST', '/subscriptions', { url: to, types: ['iam.role.created'] })).body;
    const { id, secret } = await subscribe(url);
    await subscribe(witness.url);
    const env = { ...process.env, WEBHOOK_SECRET: String(secret), PORT: String(port) };
    const child = spawn(receiver.program, receiver.arguments(port), { env, stdio: 'ignore' });
    try {
      await eventually(`${receiver.program} listens`, () => isListening(port));
      const role = { key: 'clerk', name: 'Clerk', scopes: [] };
      expect((await organization.call('POST', '/roles', role)).status).toBe(201);
      const delivery = async () =>
        itemsOf<Record<string, unknown>>(await call('GET', `/subscriptions/${String(id)}/deliveries`))[0];
      await eventually('it was answered', async () => (await delivery())?.['attempts'] === 1);
      expect(await delivery()).toMatchObject({ state: 'delivered', lastError: null });

      // Signed by the secret of another subscription.
      const [forged] = await witness.waitFor('iam.role.created');
      const { text: body = '', headers = {} } = forged ?? {};
      const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'content-type'];
      const sent = Object.fromEntries(names.map((name) => [name, headers[name] ?? '']));
      const post = async (given: Record<string, string>, text: string) =>
        (await fetch(url, { method: 'POST', headers: given, body: text })).status;
      expect(await post(sent, body)).toBe(receiver.refuses);

      // Signed by its own secret, then changed or old.
      const signedAgo = (seconds: number) => {
        const at = new Date(Date.now() - seconds * 1_000);
        return {
          ...sent,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
          'webhook-signature': new Webhook(String(secret)).sign(sent['webhook-id'] ?? '', at, body),
        };
      };
      const genuine = signedAgo(60);
      expect(await post(genuine, body)).toBeLessThan(300);
      const changed: Record<string, [Record<string, string>, string]> = {
        'a byte': [genuine, body.replace('role', 'rolf')],
        'the id': [{ ...genuine, 'webhook-id': '01K3V9D7Q8Z4X5N6M7P8R9S0T0' }, body],
        'the time': [{ ...genuine, 'webhook-timestamp': signedAgo(0)['webhook-timestamp'] }, body],
        'nothing, six minutes later': [signedAgo(360), body],
      };
      for (const [what, [given, text]] of Object.entries(changed))
        expect([what, await post(given, text)]).toEqual([what, receiver.refuses]);
    } finally {
      child.kill();
      await once(child, 'exit');
      await witness.stop();
    }
  });
});

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
