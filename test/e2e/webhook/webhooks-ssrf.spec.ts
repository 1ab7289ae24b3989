import { Organization } from '../../support/organization.js';
import { createDatabase, eventually, itemsOf, TestApp } from '../../support/test-app.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';

const WEBHOOKS = '/api/v1/webhooks';
const ROOT_SECRET = Buffer.alloc(32, 1).toString('base64');

/** Addresses inside a network, in the spellings that parsers accept, and URLs that hide a host. */
const REFUSED = `
  http://hooks.example.com/ ftp://hooks.example.com/ https://hooks.example.com:22/ https://hooks.example.com:80/
  https://hooks.example.com:1023/ https://user@hooks.example.com/ https://user:pass@hooks.example.com/
  https://hooks.example.com/#fragment https://127.0.0.1/ https://127.1/ https://2130706433/ https://0x7f000001/
  https://0x7f.0.0.1/ https://0177.0.0.1/ https://017700000001/ https://127.0.0.1:8443/ https://0.0.0.0/ https://0/
  https://10.0.0.1/ https://10.1/ https://172.16.0.1/ https://172.31.255.255/ https://192.168.1.1/ https://192.168.257/
  https://169.254.169.254/latest/meta-data/ https://169.254.43518/ https://0xa9fea9fe/ https://100.64.0.1/
  https://198.18.0.1/ https://224.0.0.1/ https://255.255.255.255/ https://[::1]/ https://[::]/ https://[::ffff:127.0.0.1]/
  https://[::ffff:7f00:1]/ https://[0:0:0:0:0:ffff:a9fe:a9fe]/ https://[64:ff9b::7f00:1]/ https://[fe80::1]/ https://[fc00::1]/
  https://[fd00:ec2::254]/ https://[2002:7f00:1::]/ https://[ff02::1]/ https://[2001:db8::1]/ https://１２７.0.0.1/ https://127。0。0。1/
  https://127.0.0.1./ https://%31%32%37.0.0.1/ https://①②⑦.0.0.1/
`
  .trim()
  .split(/\s+/);

describe('A webhook to an address inside the network', () => {
  let app: TestApp;
  let organization: Organization;
  beforeAll(async () => {
    // With its own database, the service is not one of local development.
    app = await TestApp.start({ ROOT_SECRET, DATABASE_URL: await createDatabase() });
    organization = await Organization.found(app);
  });
  afterAll(() => app.stop());

  const call = (method: string, path: string, body?: unknown) =>
    app.call(method, `${WEBHOOKS}${path}`, body, { token: organization.owner.token });

  it.each(REFUSED)('is refused at its creation: %s', async (url) => {
    const { status, body } = await call('POST', '/subscriptions', { url, types: ['iam.role.*'] });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('"url"');
  });

  it('is refused at a change', async () => {
    const given = { url: 'https://hooks.example.com/', types: ['iam.role.*'] };
    const { id } = (await call('POST', '/subscriptions', given)).body;
    const path = `/subscriptions/${String(id)}`;
    const answers = await Promise.all(REFUSED.map((url) => call('PATCH', path, { url })));
    expect(answers.filter(({ status }) => status !== 400)).toEqual([]);
    expect((await call('GET', path)).body['url']).toBe(given.url);
  });

  it.each(['localhost', '127.0.0.1'])(
    'is refused when the connection is made, and nothing of the answer is kept: %s',
    async (host) => {
      const receiver = await WebhookReceiver.start();
      const { port } = new URL(receiver.url);
      const given = { url: 'https://hooks.example.com/', types: ['iam.role.*'] };
      const { id } = (await call('POST', '/subscriptions', given)).body;
      // As if its name had another address at creation.
      await app.sql('UPDATE webhook_endpoints SET url = $2 WHERE id = $1', [id, `https://${host}:${port}/`]);
      await call('POST', `/subscriptions/${String(id)}/test`, {});
      const list = async () =>
        itemsOf<Record<string, unknown>>(await call('GET', `/subscriptions/${String(id)}/deliveries`));
      await eventually('it is refused', async () => (await list())[0]?.['state'] === 'dead');
      const [delivery] = await list();
      expect(delivery?.['lastError']).toBe('refused-address');
      const details = await call('GET', `/deliveries/${String(delivery?.['id'])}`);
      expect(details.body['attemptList']).toMatchObject([{ status: null, excerpt: null }]);
      expect(receiver.received).toEqual([]);
      await receiver.stop();
    },
  );
});
