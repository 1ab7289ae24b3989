import { PySaml2 } from '../../lab/pysaml2.js';
import { LabConnection } from '../../support/connection.js';
import { Organization } from '../../support/organization.js';
import { TestApp } from '../../support/test-app.js';
import { describeWith } from '../../support/tools.js';

const MAIL = 'urn:oid:0.9.2342.19200300.100.1.3';

/** Debian's pysaml2 as the provider of an organization. */
describeWith(['/usr/lib/python3/dist-packages/saml2', '/usr/bin/xmlsec1'], 'A connection to pysaml2', () => {
  let app: TestApp;
  let provider: PySaml2;
  let connection: LabConnection;
  const connect = (organization: Organization, metadata: string) =>
    LabConnection.active(organization, {
      kind: 'saml',
      settings: { metadata, signRequests: true, attributes: { email: MAIL } },
    } as never);
  const metadataOf = async ({ id }: LabConnection) =>
    (await fetch(`${app.url}/api/iam/auth/external/saml/metadata/${id}`)).text();
  beforeAll(async () => {
    provider = await PySaml2.start();
    app = await TestApp.start({ PORTAL: 'off' });
    connection = await connect(await Organization.found(app), await provider.metadata());
    await connection.call('PATCH', '', { provisioning: { justInTime: true } });
    await provider.register(await metadataOf(connection));
  });
  afterAll(async () => {
    await app.stop();
    await provider.stop();
  });

  const answer = async (person: string, domain = connection.domain) =>
    provider.answer(await connection.start(), person, `${person}@${domain}`);
  const signIn = async (person: string) => {
    const { sessionIndex, fields } = await answer(person);
    const { fragment } = await connection.bring({ ...fields });
    expect(fragment).toHaveProperty('access_token');
    return { sessionIndex, token: fragment['access_token'] ?? '' };
  };
  const isAlive = async (token: string) => (await app.get('/api/v1/iam/me', token)).status === 200;
  const open = async (address: string) => {
    const { pathname, search } = new URL(address);
    const response = await fetch(app.url + pathname + search, { redirect: 'manual' });
    await response.body?.cancel();
    return response;
  };
  const sloAddress = () => `http://gatehouse.test/api/iam/auth/external/saml/logout/${connection.id}`;

  it('signs people in, by a request that it finds signed', async () => {
    const { isSigned, fields } = await answer('ada');
    expect(isSigned).toBe(true);
    expect((await connection.bring({ ...fields })).fragment).toHaveProperty('access_token');
    expect(await connection.bring({ ...fields })).toMatchObject({ status: 400, fragment: {} });
  });

  it('signs no person in with an address of another domain', async () => {
    const { fields } = await answer('eve', 'foreign.example');
    expect((await connection.bring({ ...fields })).fragment).toMatchObject({
      error: 'domain_not_verified',
    });
  });

  it('signs no person in to another organization that trusts the same provider', async () => {
    const other = await connect(await Organization.found(app), await provider.metadata());
    await other.call('PATCH', '', { provisioning: { justInTime: true } });
    await other.start();
    const { fields } = await answer('grace');
    expect(await other.bring({ ...fields })).toMatchObject({ status: 400, fragment: {} });
  });

  it('signs out there after a logout here, by a request that it finds signed', async () => {
    const { token, sessionIndex } = await signIn('alan');
    const { body } = await app.call('POST', '/api/v1/iam/auth/logout', { upstream: true }, { token });
    expect(await provider.readLogout(String(body['logoutUrl']))).toEqual({
      isSigned: true,
      person: 'alan',
      indexes: [sessionIndex],
    });
    expect(await isAlive(token)).toBe(false);
  });

  it('signs out here after a logout there, unless the request was changed', async () => {
    const [one, other] = [await signIn('barbara'), await signIn('barbara')];
    const address = new URL(await provider.logOut(sloAddress(), 'barbara', one.sessionIndex));
    const changed = new URL(address);
    changed.searchParams.set('RelayState', 'changed');
    await open(changed.href);
    expect(await isAlive(one.token)).toBe(true);
    const response = await open(address.href);
    expect(response.headers.get('location')).toMatch(/^https:\/\/pysaml2\.example\/slo\?SAMLResponse=/);
    expect([await isAlive(one.token), await isAlive(other.token)]).toEqual([false, true]);
  });
});
