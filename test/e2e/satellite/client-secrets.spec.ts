import { API_KEY_PATTERN } from '../../../src/platform/crypto/index.js';
import { Organization } from '../../support/organization.js';
import { type Answer, eventually, itemsOf, withApp } from '../../support/test-app.js';

const DAY_MS = 86_400_000;
const ME = '/api/v1/iam/me';

describe('A client secret of a service account', () => {
  let organization: Organization;
  let accountId: string;
  const app = withApp({ RATE_REFRESH: 'off', RATE_WRITE: 'off', RATE_HASH: 'off' });
  beforeAll(async () => {
    organization = await Organization.found(app);
  });
  beforeEach(async () => {
    const given = { name: 'Build', roles: ['admin'] };
    accountId = String((await organization.call('POST', '/service-accounts', given)).body['id']);
  });

  const create = (given: object = {}): Promise<Answer> =>
    organization.call('POST', `/service-accounts/${accountId}/credentials`, { kind: 'secret', ...given });
  const list = async () =>
    itemsOf<Record<string, unknown>>(
      await organization.call('GET', `/service-accounts/${accountId}/credentials`),
    );
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  const daysOf = (expiresAt: unknown) => (Date.parse(String(expiresAt)) - Date.now()) / DAY_MS;
  const token = async (secret: unknown) => {
    const response = await fetch(`${app.url}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${accountId}:${String(secret)}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const body = (await response.json()) as Record<string, unknown>;
    return { status: response.status, error: body['error'], accessToken: String(body['access_token']) };
  };
  const announceExpiring = async (): Promise<void> => {
    await app.sql("SELECT graphile_worker.add_job('announce_expiring_keys')");
    await eventually('the job has run', async () => {
      const sql = "SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'announce_expiring_keys'";
      return (await app.sql(sql)).length === 0;
    });
  };

  it('has no end by default, and one on request, which is listed', async () => {
    const { body } = await create();
    expect(body['expiresAt']).toBeNull();
    const expiresAt = inDays(30);
    expect((await create({ expiresAt })).body).toMatchObject({ expiresAt });
    expect((await list()).map((one) => one['expiresAt'])).toEqual([null, expiresAt]);
    expect(await create({ expiresAt: inDays(-1) })).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'expiresAt' }] },
    });
    const jwksUri = 'https://ci.example.com/jwks.json';
    expect(await create({ kind: 'public_key', jwksUri, expiresAt })).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'expiresAt' }] },
    });
  });

  it('ends with its time, and so do its tokens; another secret goes on', async () => {
    const [first, second] = [(await create({ expiresAt: inDays(30) })).body, (await create()).body];
    const [{ accessToken }, other] = [
      await token(first['clientSecret']),
      await token(second['clientSecret']),
    ];
    expect((await app.get(ME, accessToken)).status).toBe(200);
    await app.sql(
      `WITH ended AS (UPDATE machine_credentials SET expires_at = now() - interval '1 second' WHERE id = $1 RETURNING owner_id)
       SELECT pg_notify('gatehouse_machine_clients_changed', owner_id) FROM ended`,
      [first['id']],
    );
    await eventually('the token is refused', async () => (await app.get(ME, accessToken)).status === 401);
    expect(await token(first['clientSecret'])).toMatchObject({ status: 401, error: 'invalid_client' });
    expect((await app.get(ME, other.accessToken)).status).toBe(200);
    expect((await token(second['clientSecret'])).status).toBe(200);
  });

  it('lives no longer than the organization lets keys live, which then gives it an end', async () => {
    const policy = (maxLifetimeDays: number | null) =>
      organization.call('PUT', '/key-policy', { maxLifetimeDays });
    expect((await policy(30)).status).toBe(200);
    for (const expiresAt of [inDays(31), null])
      expect(await create({ expiresAt })).toMatchObject({
        status: 400,
        body: { violations: [{ propertyPath: 'expiresAt' }] },
      });
    expect((await create({ expiresAt: inDays(29) })).status).toBe(201);
    expect(Math.round(daysOf((await create()).body['expiresAt']))).toBe(30);
    expect((await policy(null)).status).toBe(200);
    expect((await create({ expiresAt: null })).body['expiresAt']).toBeNull();
  });

  it('is announced a week before its end, once', async () => {
    const { body } = await create({ expiresAt: inDays(30) });
    const lead = 'extract(epoch FROM expires_at - warn_at)::int / 86400 AS days';
    const [row] = await app.sql(`SELECT ${lead} FROM machine_credentials WHERE id = $1`, [body['id']]);
    expect(row).toEqual({ days: 7 });
    await app.sql('UPDATE machine_credentials SET warn_at = now() WHERE id = $1', [body['id']]);
    const announced = async () =>
      itemsOf<{ subject: string }>(
        await organization.call('GET', '/audit-events?action=key.expiring'),
      ).filter(({ subject }) => subject === `iam/api-keys/${String(body['id'])}`);
    for (let round = 0; round < 2; round += 1) {
      await announceExpiring();
      expect(await announced()).toHaveLength(1);
    }
  });

  it('is found by scanners, and ended by a report of anyone who holds it', async () => {
    const { body } = await create({ name: 'Leaked' });
    const secret = String(body['clientSecret']);
    expect(secret).toMatch(new RegExp(`^${API_KEY_PATTERN}$`));
    expect(secret).toMatch(/^gh_cs_/);
    const { accessToken } = await token(secret);
    const report = (key: string) => app.call('POST', '/api/v1/iam/leaked-keys', { key });
    // The public part alone proves nothing.
    const { clientSecret: other } = (await create()).body;
    expect((await report(`${secret.slice(0, 16)}${String(other).slice(16)}`)).status).toBe(202);
    expect((await token(secret)).status).toBe(200);
    expect((await report(secret)).status).toBe(202);
    expect(await token(secret)).toMatchObject({ status: 401, error: 'invalid_client' });
    expect((await app.get(ME, accessToken)).status).toBe(401);
    expect((await token(other)).status).toBe(200);
    const { email } = organization.owner.person;
    await eventually('the owner is told', async () =>
      (await app.mails(email)).some((mail) => mail.includes('Leaked')),
    );
    const trail = itemsOf<{ subject: string }>(
      await organization.call('GET', '/audit-events?action=key.leaked'),
    );
    expect(trail).toEqual([expect.objectContaining({ subject: `iam/api-keys/${String(body['id'])}` })]);
  });

  it('is no key: neither at the API, nor in an exchange', async () => {
    const secret = String((await create()).body['clientSecret']);
    expect((await app.get(ME, secret)).status).toBe(401);
    const exchange = await fetch(`${app.url}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: secret,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      }),
    });
    expect(await exchange.json()).toMatchObject({ error: 'invalid_grant' });
  });
});
