import { randomBytes } from 'node:crypto';
import { CleanupService } from '../../../src/platform/cleanup/cleanup.js';
import { Organization } from '../../support/organization.js';
import { signUpOperator } from '../../support/satellite.js';
import { eventually, TestApp, withApp } from '../../support/test-app.js';

const REDIRECT_URI = 'https://client.example/callback';
/** The bound of a cached registration (API-5). */
const BOUND_MS = 10_000;

interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
}

describe('The registration of a client, at two replicas that have it in their caches', () => {
  const ROOT_SECRET = randomBytes(32).toString('base64');
  let replica: TestApp;
  let operator: string;
  const app = withApp({ ROOT_SECRET });
  beforeAll(async () => {
    operator = (await signUpOperator(app)).token;
    replica = await TestApp.start({ ROOT_SECRET, DATABASE_URL: app.databaseUrl });
  });
  afterAll(() => replica.stop());

  const call = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await app.call(method, `/api/v1/iam/satellites${path}`, body, { token: operator });
    expect(answer.status).toBeLessThan(300);
    return answer.body;
  };
  const register = async (): Promise<Client> => {
    const clientId = `client-${randomBytes(6).toString('hex')}`;
    const body = { clientId, name: 'Help centre', redirectUris: [REDIRECT_URI] };
    return { clientId, clientSecret: String((await call('POST', '', body))['clientSecret']) };
  };
  /** Asks for the state of a token that there is not: 200 for a client that is accepted. */
  const statusAt = async (service: TestApp, { clientId, clientSecret }: Client): Promise<number> => {
    const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const response = await fetch(new URL('/oauth2/introspect', service.url), {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}` },
      body: new URLSearchParams({ token: 'unknown' }),
    });
    return response.status;
  };
  /** Expects a status here at once, and at the other replica within the bound. */
  const expectAtBoth = async (status: number, client: Client): Promise<void> => {
    expect(await statusAt(app, client)).toBe(status);
    const isSo = async () => (await statusAt(replica, client)) === status;
    await eventually(`the other replica answers ${status}`, isSo, BOUND_MS);
  };

  it('is refused once it is disabled, and accepted once it is enabled', async () => {
    const client = await register();
    await expectAtBoth(200, client);
    await call('POST', `/${client.clientId}/disable`);
    await expectAtBoth(401, client);
    await call('POST', `/${client.clientId}/enable`);
    await expectAtBoth(200, client);
  });

  it('has its new secret and the one before once that is rotated, and no older one', async () => {
    const first = await register();
    await expectAtBoth(200, first);
    const rotate = async (): Promise<Client> => {
      const { clientSecret } = await call('POST', `/${first.clientId}/rotate-secret`);
      return { ...first, clientSecret: String(clientSecret) };
    };
    const second = await rotate();
    await expectAtBoth(200, second);
    await expectAtBoth(200, first);
    const third = await rotate();
    await expectAtBoth(200, third);
    await expectAtBoth(200, second);
    await expectAtBoth(401, first);
    await expectAtBoth(401, { ...third, clientSecret: `${third.clientSecret}x` });
  });

  it('authenticates by another method once that is changed', async () => {
    const client = await register();
    await expectAtBoth(200, client);
    await call('PATCH', `/${client.clientId}`, { tokenEndpointAuthMethod: 'client_secret_post' });
    await expectAtBoth(401, client);
  });

  const clientOf = async (organization: Organization): Promise<Client> => {
    const data = { name: 'Dashboards', redirectUris: [REDIRECT_URI] };
    const { body } = await organization.call('POST', '/clients', data);
    return { clientId: String(body['clientId']), clientSecret: String(body['clientSecret']) };
  };

  it('is refused once its organization deletes it', async () => {
    const organization = await Organization.found(app);
    const client = await clientOf(organization);
    await expectAtBoth(200, client);
    expect((await organization.call('DELETE', `/clients/${client.clientId}`)).status).toBe(204);
    await expectAtBoth(401, client);
  });

  it('is refused once its organization is deleted', async () => {
    const organization = await Organization.found(app);
    const client = await clientOf(organization);
    await organization.call('POST', '/archive');
    const [{ name = '' } = {}] = await app.sql<{ name: string }>('SELECT name FROM tenants WHERE id = $1', [
      organization.id,
    ]);
    expect((await organization.call('POST', '/deletion', { name })).status).toBe(202);
    await app.sql("UPDATE tenants SET deletes_at = now() - interval '1 minute' WHERE id = $1", [
      organization.id,
    ]);
    await expectAtBoth(200, client);
    await app.app.get(CleanupService, { strict: false }).run();
    await expectAtBoth(401, client);
  });
});
