import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { ClientLogos } from '../../../src/client/logos/client-logos.js';
import { JPEG, pngOf, WEBP } from '../../support/images.js';
import { Organization, Person } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { signUpOperator } from '../../support/satellite.js';
import { eventually, itemsOf, TestApp } from '../../support/test-app.js';

const JOBS = "graphile_worker.jobs WHERE task_identifier = 'fetch_client_logo'";
const SCRIPT = Buffer.from('<script>alert(1)</script>');
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');

describe('The logo of a client', () => {
  let app: TestApp;
  let operator: Person;
  let counter = 0;
  /** How the server of the client answers. */
  let answer: RequestListener;
  let connections = 0;
  const server = createServer((request, response) => answer(request, response));
  server.on('connection', () => (connections += 1));
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    app = await TestApp.start({ CONNECTION_TRUSTED_HOSTS: '127.0.0.1' });
    operator = await signUpOperator(app);
  });
  afterAll(async () => {
    await app.stop();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  /** Gives up the attempts that are left. */
  afterEach(() =>
    eventually('no attempt is left', async () => {
      await app.sql(`SELECT graphile_worker.complete_jobs(array_agg(id)) FROM ${JOBS}`);
      return (await waiting()) === 0;
    }),
  );
  beforeEach(() => {
    connections = 0;
    serve(pngOf());
  });

  const serve = (bytes: Buffer, headers: Record<string, string> = { 'content-type': 'image/png' }) => {
    answer = (_, response) => void response.writeHead(200, headers).end(bytes);
  };
  const addressOf = (path = '/logo.png') =>
    `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const call = (method: string, path = '', body?: unknown) =>
    app.call(method, `/api/v1/iam/satellites${path}`, body, { token: operator.token });
  const register = async (logoUri = addressOf()): Promise<string> => {
    const clientId = `with-logo-${(counter += 1)}`;
    const redirectUris = ['https://help.example.com/callback'];
    const { status, body } = await call('POST', '', { clientId, name: 'Help centre', redirectUris, logoUri });
    expect([status, body]).toEqual([201, expect.objectContaining({ logoUri, logoUrl: null })]);
    return clientId;
  };
  const waiting = async () => (await app.sql(`SELECT 1 FROM ${JOBS}`)).length;
  const tried = () =>
    eventually('the logo is fetched, or waits for the next attempt', async () => {
      const open = await app.sql(`SELECT 1 FROM ${JOBS} AND (attempts = 0 OR locked_at IS NOT NULL)`);
      return open.length === 0;
    });
  const done = () => eventually('no attempt is left', async () => (await waiting()) === 0);
  const urlOf = async (clientId: string): Promise<string | null> => {
    const { logoUrl } = (await call('GET', `/${clientId}`)).body as { logoUrl?: string | null };
    return logoUrl ?? null;
  };
  /** Waits for the copy. @returns its path */
  const copyOf = async (clientId: string): Promise<string> => {
    await done();
    return String(await urlOf(clientId));
  };
  const fetchLogo = (path: string) => fetch(new URL(path, app.url));
  const imageOf = async (path: string) => Buffer.from(await (await fetchLogo(path)).arrayBuffer());

  it.each([
    ['PNG', pngOf(), 'image/png'],
    ['WebP', WEBP, 'image/webp'],
    ['JPEG', JPEG, 'image/jpeg'],
  ])(
    'is a copy that this service serves as %s, whatever the other server calls it',
    async (_, bytes, type) => {
      serve(bytes, { 'content-type': 'text/html' });
      const clientId = await register();
      const url = await copyOf(clientId);
      expect(url).toMatch(new RegExp(`^/api/v1/iam/auth/client-logos/${clientId}/[0-9a-f]{64}$`));
      const served = await fetchLogo(url);
      expect(Object.fromEntries(served.headers)).toMatchObject({
        'content-type': type,
        'content-disposition': 'inline',
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      });
      expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
    },
  );

  it.each<[string, Buffer]>([
    ['an SVG', SVG],
    ['a page that is called a PNG', SCRIPT],
    ['a page behind a PNG', Buffer.concat([pngOf(), SCRIPT])],
    ['a GIF', Buffer.from('GIF89a')],
    ['nothing', Buffer.alloc(0)],
    ['a JPEG that ends early', JPEG.subarray(0, -2)],
    ['more than 256 KiB', Buffer.concat([pngOf(), Buffer.alloc(256 * 1_024)])],
    ['10,000 × 10,000 pixels', pngOf({ width: 10_000, height: 10_000, pixels: Buffer.alloc(9) })],
  ])('is not shown, nor fetched again, if it is %s', async (_, bytes) => {
    for (const type of ['image/png', 'image/svg+xml']) {
      serve(bytes, { 'content-type': type });
      const clientId = await register();
      await done();
      expect(await urlOf(clientId)).toBeNull();
    }
  });

  it('is cut off where it does not end', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'image/png' }).write(pngOf());
      const more = (): void => {
        while (response.write(Buffer.alloc(65_536)) && !response.destroyed);
        response.once('drain', more);
      };
      more();
    };
    const clientId = await register();
    await done();
    expect(await urlOf(clientId)).toBeNull();
  });

  it.each([
    ['a redirect', 302, { location: '/other.png' }, Buffer.alloc(0)],
    ['a compressed image', 200, { 'content-encoding': 'gzip' }, gzipSync(pngOf())],
  ])('is not taken from %s', async (_, status, headers, bytes) => {
    const paths: (string | undefined)[] = [];
    answer = ({ url }, response) => {
      paths.push(url);
      if (url === '/logo.png') response.writeHead(status, headers).end(bytes);
      else response.end(pngOf());
    };
    const clientId = await register();
    await tried();
    expect([await urlOf(clientId), ...new Set(paths)]).toEqual([null, '/logo.png']);
  });

  it.each(['https://localhost:PORT/logo.png', 'http://localhost:PORT/logo.png'])(
    'is not fetched from the private address %s',
    async (address) => {
      const { port } = server.address() as AddressInfo;
      const clientId = await register(address.replace('PORT', String(port)));
      await done();
      expect([await urlOf(clientId), connections]).toEqual([null, 0]);
    },
  );

  it('is fetched again after a failure, which does not hinder the registration', async () => {
    answer = (_, response) => void response.writeHead(503).end();
    const clientId = await register();
    await tried();
    expect([await urlOf(clientId), await waiting()]).toEqual([null, 1]);
    serve(pngOf());
    await app.sql(`SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at := now()) FROM ${JOBS}`);
    expect(await copyOf(clientId)).toContain(clientId);
  });

  it('changes with the registration, and ends with it', async () => {
    const clientId = await register();
    const first = await copyOf(clientId);
    const queue = jest.spyOn(app.app.get(ClientLogos, { strict: false }), 'queue');
    const same = await call('PATCH', `/${clientId}`, { name: 'Other' });
    expect(same.body['logoUrl']).toBe(first);
    expect(queue).not.toHaveBeenCalled();
    queue.mockRestore();
    serve(pngOf({ color: [0, 0, 0] }));
    const again = await call('PATCH', `/${clientId}`, { logoUri: addressOf() });
    expect(again.body['logoUrl']).toBe(first); // until the new one has been fetched
    expect(await copyOf(clientId)).not.toBe(first);
    expect((await fetchLogo(first)).status).toBe(404);
    const moved = await call('PATCH', `/${clientId}`, { logoUri: addressOf('/new.png') });
    expect(moved.body['logoUrl']).toBeNull();
    const url = await copyOf(clientId);
    const removed = await call('PATCH', `/${clientId}`, { logoUri: null });
    expect([removed.body['logoUrl'], (await fetchLogo(url)).status]).toEqual([null, 404]);
  });

  it('is not that of an address which the client has left', async () => {
    let release = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = (_, response) => {
        release = () => void response.end(pngOf());
        resolve();
      };
    });
    const clientId = await register();
    await asked;
    await call('PATCH', `/${clientId}`, { logoUri: null });
    release();
    await done();
    expect(await urlOf(clientId)).toBeNull();
  });

  it('is shown to the person: at the sign-in, at the consent, and among the connected apps', async () => {
    const ada = await Person.signUp(app);
    const client = await RelyingParty.register(app, { firstParty: false, logoUri: addressOf() });
    const url = await copyOf(client.clientId);
    expect((await imageOf(url)).equals(pngOf())).toBe(true);
    const request = await client.request();
    expect((await client.read(request.id)).body['client']).toMatchObject({ logoUrl: url });
    const codes = { satelliteCodes: true, logoUri: addressOf() };
    const { clientId, redirectUri } = await RelyingParty.register(app, codes);
    const shown = await copyOf(clientId);
    const query = new URLSearchParams({ clientId, redirectUri });
    const ofSatellite = await app.get(`/api/v1/iam/auth/satellite/request?${query}`);
    expect(ofSatellite.body['logoUrl']).toBe(shown);
    await client.approve(request.id, ada.token);
    const [mine] = itemsOf(await app.get('/api/v1/iam/me/authorized-apps', ada.token));
    expect(mine).toMatchObject({ clientId: client.clientId, logoUrl: url });
    expect(mine).not.toHaveProperty('logoHash');
  });

  it('of an organization is fetched as well, and is that of its client alone', async () => {
    const organization = await Organization.found(app);
    const data = { name: 'Grafana', redirectUris: ['https://grafana.example/login/generic_oauth'] };
    const created = await organization.call('POST', '/clients', { ...data, logoUri: addressOf() });
    await done();
    const path = `/clients/${String(created.body['clientId'])}`;
    const url = String((await organization.call('GET', path)).body['logoUrl']);
    expect((await fetchLogo(url)).status).toBe(200);
    const other = await register();
    const stolen = url.replace(String(created.body['clientId']), other);
    serve(WEBP);
    await call('PATCH', `/${other}`, { logoUri: addressOf() });
    await done();
    expect((await fetchLogo(stolen)).status).toBe(404);
  });
});
