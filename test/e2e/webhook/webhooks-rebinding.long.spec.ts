import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer as createSecureServer, type Server } from 'node:https';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BuiltService, freePort } from '../../support/built-service.js';
import { IsolatedNetwork, NETWORK_PROGRAMS } from '../../support/isolated-network.js';
import { Organization } from '../../support/organization.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { eventually, itemsOf } from '../../support/test-app.js';
import { describeWhere, describeWith } from '../../support/tools.js';

const WEBHOOKS = '/api/v1/webhooks';
/** Of the Internet. In the network of the test it leads to a receiver of the test. */
const PUBLIC = '93.184.215.14';
/** With it, the service asks for addresses of IPv6 too. */
const PUBLIC_IPV6 = '2606:2800:21f:cb07:6820:80da:af6b:8b2c';
const PORT = 8_443;
const NAME = 'hooks.example.com';
const ALIAS = 'alias.example.com';
const INSIDE = 'inside.example.com';

/** A receiver with a certificate that the service trusts, for both names. */
class Receiver {
  connections = 0;
  /** Bodies of its requests. */
  readonly received: string[] = [];

  private constructor(private readonly server: Server) {}

  /** @param says in each answer */
  static async at(path: string, says: string, certificate: { key: Buffer; cert: Buffer }): Promise<Receiver> {
    const server = createSecureServer(certificate, (request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      // The next delivery asks for the address again.
      request.on('end', () => {
        receiver.received.push(text);
        response.writeHead(200, { connection: 'close' }).end(says);
      });
    });
    const receiver = new Receiver(server);
    server.on('connection', () => (receiver.connections += 1));
    await new Promise<void>((resolve) => server.listen(path, resolve));
    return receiver;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

describeWith([...NETWORK_PROGRAMS, 'openssl'], 'A webhook whose name is rebound', () => {
  describeWhere(
    IsolatedNetwork.possible,
    'lets no network be made',
    'to an address inside the network',
    () => {
      let network: IsolatedNetwork;
      let service: BuiltService;
      let organization: Organization;
      let outside: Receiver;
      let inside: Receiver;
      let subscription: string;
      /** Ends what was started, the last first. */
      const ends: (() => unknown)[] = [];
      beforeAll(async () => {
        network = await IsolatedNetwork.start([PUBLIC, PUBLIC_IPV6], [`cname=${ALIAS},${INSIDE}`]);
        ends.unshift(() => network.stop());
        const certificate = await certify(NAME, ALIAS);
        outside = await Receiver.at(network.socket('outside'), 'From the Internet.', certificate);
        ends.unshift(() => outside.stop());
        inside = await Receiver.at(network.socket('inside'), 'From inside.', certificate);
        ends.unshift(() => inside.stop());
        const port = await freePort();
        await network.relay(
          [`${PUBLIC}:${PORT}`, network.socket('outside')],
          [`127.0.0.1:${PORT}`, network.socket('inside')],
          [`::1:${PORT}`, network.socket('inside')],
          [network.socket('service'), `127.0.0.1:${port}`],
        );
        const near = createServer((socket) => {
          const far = connect(network.socket('service'));
          socket.pipe(far).pipe(socket);
          for (const one of [socket, far]) one.on('error', () => [socket, far].map((each) => each.destroy()));
        });
        await new Promise<void>((resolve) => near.listen(port, '127.0.0.1', resolve));
        ends.unshift(() => near.close());
        service = await BuiltService.start(
          { PORT: String(port), PORTAL: 'off', NODE_EXTRA_CA_CERTS: certificate.path },
          network.within,
        );
        ends.unshift(() => service.stop());
        organization = await Organization.found(service);
      });
      afterAll(async () => {
        for (const end of ends) await end();
      });
      beforeEach(async () => {
        await network.resolve({ [NAME]: [PUBLIC] });
        subscription = await subscribe(NAME);
        inside.connections = 0;
      });
      afterEach(() => call('DELETE', `/subscriptions/${subscription}`));

      const call = (method: string, path: string, body?: unknown) =>
        service.call(method, `${WEBHOOKS}${path}`, body, { token: organization.owner.token });
      const subscribe = async (name: string): Promise<string> => {
        const given = { url: `https://${name}:${PORT}/hook`, types: ['iam.role.created'] };
        return String((await call('POST', '/subscriptions', given)).body['id']);
      };
      let roles = 0;
      const createRole = async (): Promise<void> => {
        const role = { key: `role-${(roles += 1)}`, name: 'Clerk', scopes: [] };
        expect((await organization.call('POST', '/roles', role)).status).toBe(201);
      };
      /** Returns the newest of this many deliveries when it has this many attempts. */
      const attempted = async (deliveries: number, attempts: number): Promise<Record<string, unknown>> => {
        const list = async () =>
          itemsOf<Record<string, unknown>>(await call('GET', `/subscriptions/${subscription}/deliveries`));
        await eventually('it is attempted', async () => {
          const all = await list();
          return all.length === deliveries && all[0]?.['attempts'] === attempts;
        });
        return (await call('GET', `/deliveries/${String((await list())[0]?.['id'])}`)).body;
      };

      it('gets what is due while the name is public, and nothing from then on until it is again', async () => {
        await createRole();
        expect(await attempted(1, 1)).toMatchObject({
          state: 'delivered',
          attemptList: [{ status: 200, excerpt: 'From the Internet.' }],
        });
        const [{ length: received }, questions] = [outside.received, network.questions(NAME)];
        await network.resolve({ [NAME]: ['127.0.0.1'] });
        await createRole();
        const refused = await attempted(2, 1);
        expect(refused).toMatchObject({
          state: 'due',
          lastError: 'refused-address',
          attemptList: [{ status: null, error: 'refused-address', excerpt: null }],
        });
        // What was checked is what a connection would have been made to: there is no second answer.
        expect(network.questions(NAME)).toBe(questions + 1);
        expect([inside.connections, outside.received.length]).toEqual([0, received]);
        await network.resolve({ [NAME]: [PUBLIC] });
        await service.sql('UPDATE webhook_deliveries SET due_at = now() WHERE id = $1', [refused['id']]);
        expect(await attempted(2, 2)).toMatchObject({
          state: 'delivered',
          attemptList: [{ error: 'refused-address' }, { status: 200, excerpt: 'From the Internet.' }],
        });
        expect([inside.connections, outside.received.length]).toEqual([0, received + 1]);
      });

      it.each([
        ['an address inside after a public one', [PUBLIC, '127.0.0.1']],
        ['an address inside before a public one', ['127.0.0.1', PUBLIC]],
        ['the loopback of IPv6 beside a public address', [PUBLIC, '::1']],
        ['a mapped address', ['::ffff:127.0.0.1']],
        ['an address of the metadata service beside a public one', [PUBLIC, '169.254.169.254']],
      ])('is refused where the name has %s', async (_, addresses) => {
        const { connections } = outside;
        await network.resolve({ [NAME]: addresses });
        await createRole();
        expect(await attempted(1, 1)).toMatchObject({
          lastError: 'refused-address',
          attemptList: [{ status: null, excerpt: null }],
        });
        expect([inside.connections, outside.connections]).toEqual([0, connections]);
      });

      it('is not asked for the metadata document of a client either', async () => {
        const policy = { clients: 'any', scopes: [] };
        expect((await organization.call('PUT', '/agent-policy', policy)).status).toBe(200);
        const refusal = async (client: string) => {
          const query = new URLSearchParams({ client_id: `https://${client}:${PORT}/agent` });
          const response = await fetch(`${service.url}/oauth2/authorize?${query}`, { redirect: 'manual' });
          const { violations } = (await response.json()) as { violations: { message: string }[] };
          return violations[0]?.message;
        };
        const { connections } = outside;
        expect(await refusal(NAME)).toBe('the document must be of the type application/json.');
        expect(outside.connections).toBe(connections + 1);
        await network.resolve({ [INSIDE]: ['127.0.0.1'] });
        expect(await refusal(ALIAS)).toBe('the document cannot be read.');
        for (const addresses of [
          ['127.0.0.1'],
          [PUBLIC, '127.0.0.1'],
          ['::ffff:127.0.0.1'],
          ['169.254.169.254'],
        ]) {
          await network.resolve({ [NAME]: addresses });
          expect([addresses, await refusal(NAME)]).toEqual([addresses, 'the document cannot be read.']);
        }
        expect([inside.connections, outside.connections]).toEqual([0, connections + 1]);
      });

      it('has a reason of its own where the name has no address', async () => {
        await network.resolve({});
        await createRole();
        expect(await attempted(1, 1)).toMatchObject({ lastError: 'unknown-host' });
      });

      it('is refused where the name is an alias of one inside', async () => {
        await call('DELETE', `/subscriptions/${subscription}`);
        subscription = await subscribe(ALIAS);
        await network.resolve({ [INSIDE]: ['127.0.0.1'] });
        await createRole();
        expect((await attempted(1, 1))['lastError']).toBe('refused-address');
        expect(inside.connections).toBe(0);
      });
    },
  );
});

/** Makes a certificate that signs itself. */
async function certify(...names: string[]): Promise<{ key: Buffer; cert: Buffer; path: string }> {
  const folder = temporaryFolder('tls');
  const [key, path] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const alternatives = `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`;
  const subject = ['-subj', '/CN=receiver', '-addext', alternatives];
  const pair = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-keyout', key, '-out', path];
  await promisify(execFile)('openssl', ['req', '-x509', '-nodes', '-days', '2', ...pair, ...subject]);
  return { key: await readFile(key), cert: await readFile(path), path };
}
