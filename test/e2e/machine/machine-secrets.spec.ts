import { BuiltService } from '../../support/built-service.js';
import { dump, found } from '../../support/canaries.js';
import { Organization } from '../../support/organization.js';
import { eventually } from '../../support/test-app.js';

describe('Keys and client secrets', () => {
  let service: BuiltService;
  let organization: Organization;
  beforeAll(async () => {
    service = await BuiltService.start({ LOG_LEVEL: 'debug' });
    organization = await Organization.found(service);
  });
  afterAll(() => service.stop());

  it('are in no log, row or job, whether used, refused, exchanged or reported', async () => {
    const account = await organization.call('POST', '/service-accounts', { name: 'CI', roles: ['admin'] });
    const path = `/service-accounts/${String(account.body['id'])}`;
    const createKey = async () =>
      String((await organization.call('POST', `${path}/keys`, { name: 'CI' })).body['key']);
    const key = await createKey();
    const reported = await createKey();
    const { body } = await organization.call('POST', `${path}/credentials`, { kind: 'secret' });
    const clientSecret = String(body['clientSecret']);
    const basic = (secret: string) =>
      `Basic ${Buffer.from(`${String(account.body['id'])}:${secret}`).toString('base64')}`;
    const token = (form: Record<string, string>, headers: Record<string, string> = {}) =>
      fetch(`${service.url}/oauth2/token`, { method: 'POST', headers, body: new URLSearchParams(form) });
    const exchange = (subject: string) =>
      token({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        subject_token: subject,
      });
    const client = { grant_type: 'client_credentials' };
    const me = (given: string) => service.get('/api/v1/iam/me', given);
    const statuses = [
      (await me(key)).status,
      (await me(`${key}x`)).status,
      (await me(key.slice(0, -1))).status,
      (await exchange(key)).status,
      (await exchange(`${key}x`)).status,
      (await token(client, { authorization: basic(clientSecret) })).status,
      (await token(client, { authorization: basic(`${clientSecret}x`) })).status,
      (await token({ ...client, client_secret: clientSecret })).status,
      (await service.call('POST', '/api/v1/iam/leaked-keys', { key: reported })).status,
      (await service.call('POST', '/api/v1/iam/leaked-keys', { key: `${key}x` })).status,
    ];
    expect(statuses).toEqual([200, 401, 401, 200, 400, 200, 401, 401, 202, 202]);
    const canaries = {
      key: key.slice(17, 49),
      reported: reported.slice(17, 49),
      secret: clientSecret.slice(4),
    };
    expect(Object.values(canaries).every((canary) => canary.length > 30)).toBe(true);
    await eventually('the requests are logged', async () => service.output.includes('/iam/leaked-keys'));
    expect(found(canaries, service.output)).toEqual([]);
    expect(found(canaries, await dump(service))).toEqual([]);
  });
});
