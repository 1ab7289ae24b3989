import { ulid } from 'ulid';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { ExternalVisitor } from '../../support/external.js';
import { Organization } from '../../support/organization.js';
import { itemsOf, withApp } from '../../support/test-app.js';

/** Address of the service in tests, whatever its port. */
const PUBLIC_URL = 'http://gatehouse.test';
const SECRET = 'canary-of-the-client-secret';
const OIDC = {
  kind: 'oidc',
  name: 'Okta',
  settings: { issuer: 'https://idp.example.com', clientId: 'gatehouse', clientSecret: SECRET },
};

describe('Connections of an organization', () => {
  const lab = new SamlStandIn();
  let a: Organization;
  let b: Organization;
  const saml = {
    kind: 'saml',
    name: 'ADFS',
    settings: {
      entityId: lab.issuer,
      ssoUrl: 'https://idp.example.com/sso',
      certificates: [lab.key.certificate],
    },
  };
  const app = withApp({ PORTAL: 'off' });
  beforeAll(async () => {
    a = await Organization.found(app);
    b = await Organization.found(app);
  });

  const create = async (body: object, organization = a): Promise<string> => {
    const { status, body: created } = await organization.call('POST', '/connections', body);
    expect([status, created]).toEqual([201, expect.anything()]);
    return String(created['id']);
  };
  const read = async (id: string) => (await a.call('GET', `/connections/${id}`)).body;
  const pretendTest = (id: string) =>
    app.sql('UPDATE connections SET tested_version = settings_version WHERE id = $1', [id]);
  const start = async (id: string, kind = 'saml') =>
    (await new ExternalVisitor(app, kind).start({ connectionId: id })).status;

  it('are created as drafts, and never show their secret', async () => {
    const id = await create(OIDC);
    const shown = await read(id);
    expect(shown).toEqual({
      id,
      kind: 'oidc',
      name: 'Okta',
      status: 'draft',
      domainIds: [],
      settings: {
        issuer: 'https://idp.example.com',
        clientId: 'gatehouse',
        clientAuthentication: 'client_secret',
        scopes: [],
        claims: {},
        acrValues: [],
        trustedAudiences: [],
      },
      provisioning: {
        justInTime: false,
        defaultRoles: [],
        onNoMatch: 'default',
        syncRoles: 'first-sign-in',
      },
      waiting: [],
      trustsSecondFactor: false,
      identityAssertions: false,
      serviceProvider: {
        redirectUri: `${PUBLIC_URL}/api/iam/auth/external/oidc/callback/${id}`,
        initiateLoginUri: `${PUBLIC_URL}/api/iam/auth/external/oidc/begin/${id}`,
        sloUrl: `${PUBLIC_URL}/api/iam/auth/external/oidc/backchannel-logout/${id}`,
        postLogoutRedirectUri: `${PUBLIC_URL}/sign-in`,
      },
      lastSignInAt: null,
      lastError: null,
      groupsIncompleteAt: null,
    });
    expect(itemsOf<{ id: string }>(await a.call('GET', '/connections')).map((one) => one.id)).toContain(id);
    const [row] = await app.sql(
      'SELECT sealed_client_secret FROM oidc_connections WHERE connection_id = $1',
      [id],
    );
    expect(row).toEqual({ sealed_client_secret: expect.not.stringContaining(SECRET) });
  });

  it('by SAML show certificates by fingerprint, and what to enter at the provider', async () => {
    const id = await create(saml);
    const base = `${PUBLIC_URL}/api/iam/auth/external/saml`;
    expect(await read(id)).toMatchObject({
      serviceProvider: {
        acsUrl: `${base}/callback/${id}`,
        entityId: `${base}/metadata/${id}`,
        metadataUrl: `${base}/metadata/${id}`,
      },
      certificates: [{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), lastUsedAt: null }],
    });
    expect((await fetch(`${app.url}/api/iam/auth/external/saml/metadata/${id}`)).status).toBe(200);
  });

  it.each([
    ['issuer', 'http://idp.example.com'],
    ['issuer', 'https://169.254.169.254/'],
    ['issuer', 'https://[::1]/'],
    ['issuer', 'https://login.microsoftonline.com/common/v2.0'],
    ['issuer', 'https://login.microsoftonline.com/organizations/v2.0'],
    ['issuer', 'https://login.microsoftonline.com/{tenantid}/v2.0'],
    ['issuer', 'https://user:password@idp.example.com'],
    ['issuer', undefined],
    ['clientId', undefined],
    ['clientSecret', undefined],
  ])('by OpenID Connect are refused with %s %s', async (field, value) => {
    const settings = { ...OIDC.settings, [field]: value };
    const { status, body } = await a.call('POST', '/connections', { ...OIDC, settings });
    expect([status, body]).toMatchObject([400, { violations: [{ propertyPath: `settings.${field}` }] }]);
  });

  it.each([
    ['ssoUrl', 'ssoUrl', 'http://idp.example.com/'],
    ['entityId', 'entityId', undefined],
    ['certificates', 'certificates', undefined],
    ['certificates', 'certificates[0]', ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----']],
  ])('by SAML are refused with a wrong %s', async (field, path, value) => {
    const settings = { ...saml.settings, [field]: value };
    const { status, body } = await a.call('POST', '/connections', { ...saml, settings });
    expect([status, body]).toMatchObject([400, { violations: [{ propertyPath: `settings.${path}` }] }]);
  });

  it('use domains of their own organization only', async () => {
    const [own, foreign] = await Promise.all(
      [a, b].map(async (organization) => {
        const { body } = await organization.call('POST', '/domains', { name: `${ulid()}.example` });
        return String(body['id']);
      }),
    );
    const refused = await a.call('POST', '/connections', { ...saml, domainIds: [own, foreign] });
    expect(refused.body).toMatchObject({ violations: [{ propertyPath: 'domainIds[1]' }] });
    const id = await create({ ...saml, domainIds: [own] });
    expect(await read(id)).toMatchObject({ domainIds: [own] });
    expect((await a.call('DELETE', `/domains/${own}`)).status).toBe(403);
    await a.call('PATCH', `/connections/${id}`, { domainIds: [] });
    expect((await a.call('DELETE', `/domains/${own}`)).status).toBe(204);
  });

  it('sign people in while they are active, which needs a test of their settings', async () => {
    const id = await create(saml);
    const refused = await a.call('POST', `/connections/${id}/activate`);
    expect([refused.status, refused.body['code']]).toEqual([409, 'state_forbids']);
    expect(await start(id)).toBe(404);
    await pretendTest(id);
    expect((await a.call('POST', `/connections/${id}/activate`)).body).toMatchObject({ status: 'active' });
    expect(await start(id)).toBe(200);
    expect((await a.call('POST', `/connections/${id}/disable`)).body).toMatchObject({ status: 'disabled' });
    expect(await start(id)).toBe(404);
  });

  it('go on with another name, and are drafts again with other settings', async () => {
    const id = await create(saml);
    await pretendTest(id);
    await a.call('POST', `/connections/${id}/activate`);
    const renamed = await a.call('PATCH', `/connections/${id}`, { name: 'Entra ID' });
    expect(renamed.body).toMatchObject({ name: 'Entra ID', status: 'active' });
    const changed = await a.call('PATCH', `/connections/${id}`, {
      settings: { ssoUrl: 'https://other.example.com/' },
    });
    expect(changed.body).toMatchObject({
      status: 'draft',
      settings: { entityId: lab.issuer, ssoUrl: 'https://other.example.com/' },
      certificates: [expect.anything()],
    });
    expect(await start(id)).toBe(404);
    expect((await a.call('POST', `/connections/${id}/activate`)).status).toBe(409);
  });

  it('are gone once deleted, and each change is in the audit trail', async () => {
    const id = await create(OIDC);
    await a.call('PATCH', `/connections/${id}`, { settings: { clientSecret: 'another' } });
    expect((await a.call('DELETE', `/connections/${id}`)).status).toBe(204);
    expect((await a.call('GET', `/connections/${id}`)).status).toBe(404);
    const events = await a.call('GET', `/audit-events?subject=iam/connections/${id}`);
    expect(itemsOf<{ action: string }>(events).map(({ action }) => action)).toEqual([
      'connection.deleted',
      'connection.updated',
      'connection.created',
    ]);
  });

  it('of another organization do not exist', async () => {
    const id = await create(OIDC, b);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'Taken' }],
      ['POST', '/activate', undefined],
      ['POST', '/disable', undefined],
      ['DELETE', '', undefined],
    ] as const)
      expect((await a.call(method, `/connections/${id}${path}`, body)).status).toBe(404);
  });
});
