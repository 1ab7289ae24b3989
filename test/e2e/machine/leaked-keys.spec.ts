import { withChecksum } from '../../support/api-keys.js';
import { Organization, Person } from '../../support/organization.js';
import { eventually, withApp } from '../../support/test-app.js';

const ME = '/api/v1/iam/me';
const LIMIT = 6;

describe('A report of a leaked key', () => {
  let organization: Organization;
  const app = withApp({ RATE_HASH: String(LIMIT), TRUSTED_PROXIES: '127.0.0.1' });
  beforeAll(async () => {
    organization = await Organization.found(app);
  });

  const report = (key: string, address: string) =>
    app.call('POST', '/api/v1/iam/leaked-keys', { key }, { headers: { 'x-forwarded-for': address } });

  const createServiceAccount = async () => {
    const { body } = await organization.call('POST', '/service-accounts', { name: 'CI', roles: ['admin'] });
    return String(body['id']);
  };

  it('of a person ends it, and tells the person, not the owners', async () => {
    const { person } = await organization.join('member');
    const given = { tenantId: organization.id, name: 'Notebook' };
    const made = await app.call('POST', `${ME}/keys`, given, { token: person.token });
    const key = String(made.body['key']);
    expect((await app.get(ME, key)).status).toBe(200);
    expect((await report(key, '203.0.113.1')).status).toBe(202);
    expect((await app.get(ME, key)).status).toBe(401);
    const told = async ({ email }: Person) =>
      (await app.mails(email)).some((mail) => mail.includes('found in public'));
    await eventually('the person is told', () => told(person));
    expect(await told(organization.owner.person)).toBe(false);
  });

  it.each(['person', 'service account'])('of a %s with another secret ends nothing', async (owner) => {
    const given = { tenantId: organization.id, name: 'Notebook' };
    const { token } = organization.owner.person;
    const made =
      owner === 'person'
        ? await app.call('POST', `${ME}/keys`, given, { token })
        : await organization.call('POST', `/service-accounts/${await createServiceAccount()}/keys`, {
            name: 'CI',
          });
    const key = String(made.body['key']);
    expect((await app.get(ME, key)).status).toBe(200);
    expect((await report(withChecksum(`${key.slice(0, -39)}${'A'.repeat(32)}`), '203.0.113.4')).status).toBe(
      202,
    );
    expect((await app.get(ME, key)).status).toBe(200);
    expect((await report(key, '203.0.113.4')).status).toBe(202);
    expect((await app.get(ME, key)).status).toBe(401);
  });

  it('is limited by the network that sends it', async () => {
    const statuses: number[] = [];
    for (let n = 0; n <= LIMIT; n += 1) statuses.push((await report('gh_sa_x', '203.0.113.2')).status);
    expect(statuses).toEqual([...Array<number>(LIMIT).fill(202), 429]);
    expect((await report('gh_sa_x', '203.0.113.3')).status).toBe(202);
  });
});
