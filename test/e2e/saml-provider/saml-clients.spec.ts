import { ProviderKeyRepository } from '../../../src/saml-provider/keys/provider-key.repository.js';
import { ProviderKeys } from '../../../src/saml-provider/keys/provider-keys.js';
import { LabKey } from '../../lab/saml-stand-in.js';
import { Organization } from '../../support/organization.js';
import { type Answer, itemsOf, withApp } from '../../support/test-app.js';

const key = new LabKey('App');
const base64 = key.certificate.replace(/-----[A-Z ]+-----|\s/g, '');
const BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings';

const metadata = (inner: string, attributes = '', of = 'SPSSODescriptor') =>
  `<?xml version="1.0"?><!-- of the app -->
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="https://erp.example/saml">
  <md:${of} protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" ${attributes}>${inner}</md:${of}>
</md:EntityDescriptor>`;
const consumer = (index: number, more = '', binding = 'HTTP-POST') =>
  `<md:AssertionConsumerService Binding="${BINDING}:${binding}" Location="https://erp.example/acs/${index}" index="${index}" ${more}/>`;
const logout = (binding: string, more = '') =>
  `<md:SingleLogoutService Binding="${BINDING}:${binding}" Location="https://erp.example/slo/${binding}" ${more}/>`;
const CERTIFICATE = `<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>
${base64}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;

describe('Apps of an organization that speak SAML', () => {
  let acme: Organization;
  let globex: Organization;
  const app = withApp();
  beforeAll(async () => {
    [acme, globex] = [await Organization.found(app), await Organization.found(app)];
  });

  const register = (data: object) => acme.call('POST', '/saml-clients', { name: 'Warehouse', ...data });
  const refusedAt = async (data: object) => {
    const { status, body } = await register(data);
    const violations = (body['violations'] ?? []) as { propertyPath: string }[];
    return [status, violations.map(({ propertyPath }) => propertyPath)];
  };
  const SIMPLE = { entityId: 'urn:erp', consumers: [{ url: 'https://erp.example/acs', index: 0 }] };

  it('are registered by their metadata', async () => {
    const inner = [
      CERTIFICATE,
      logout('SOAP'),
      logout('HTTP-Redirect', 'ResponseLocation="https://erp.example/slo/answers"'),
      consumer(1, '', 'HTTP-Artifact'),
      consumer(4),
      consumer(2, 'isDefault="true"'),
    ].join('');
    const { status, body, headers } = await register({
      metadata: metadata(inner, 'AuthnRequestsSigned="true"'),
    });
    expect([status, body]).toMatchObject([
      201,
      {
        name: 'Warehouse',
        entityId: 'https://erp.example/saml',
        consumers: [
          { url: 'https://erp.example/acs/2', index: 2 },
          { url: 'https://erp.example/acs/4', index: 4 },
        ],
        certificates: [expect.stringContaining(base64.slice(0, 60))],
        requireSignedRequests: true,
        nameIdFormat: 'persistent',
        logoutUrl: 'https://erp.example/slo/answers',
        logoutBinding: 'redirect',
        backchannelLogoutUrl: 'https://erp.example/slo/SOAP',
        idpInitiated: false,
      },
    ]);
    const path = `/saml-clients/${String(body['clientId'])}`;
    expect(headers.get('location')).toBe(acme.path + path);
    expect((await acme.call('GET', path)).body).toEqual(body);
  });

  it('are clients of the registry, which lists, renames and deletes them', async () => {
    const { body } = await register(SIMPLE);
    const path = `/clients/${String(body['clientId'])}`;
    const listed = itemsOf<object>(await acme.call('GET', '/clients'));
    expect(listed).toContainEqual(
      expect.objectContaining({
        id: body['id'],
        protocol: 'saml',
        grantTypes: [],
        redirectUris: ['https://erp.example/acs'],
        logoutReach: 'own-session',
        firstParty: false,
      }),
    );
    expect((await acme.call('PATCH', path, { name: 'Stock' })).body).toMatchObject({ name: 'Stock' });
    for (const change of [
      { redirectUris: ['https://evil.example/'] },
      { grantTypes: ['authorization_code'] },
      { tokenEndpointAuthMethod: 'client_secret' },
      { backchannelLogoutUri: 'https://evil.example/' },
    ])
      expect((await acme.call('PATCH', path, change)).status).toBe(400);
    expect((await acme.call('POST', `${path}/rotate-secret`)).status).toBe(409);
    expect((await acme.call('DELETE', path)).status).toBe(204);
    expect((await acme.call('GET', `/saml-clients/${String(body['clientId'])}`)).status).toBe(404);
  });

  it('change by field, and by metadata', async () => {
    const { body } = await register(SIMPLE);
    const path = `/saml-clients/${String(body['clientId'])}`;
    const attributes = [{ name: 'mail', nameFormat: 'basic', source: 'email' }];
    const changed = await acme.call('PATCH', path, {
      attributes,
      backchannelLogoutUrl: 'https://erp.example/s',
    });
    expect(changed.body).toEqual({ ...body, attributes, backchannelLogoutUrl: 'https://erp.example/s' });
    const read = await acme.call('PATCH', path, { metadata: metadata(consumer(0)) });
    expect(read.body).toMatchObject({
      entityId: 'https://erp.example/saml',
      consumers: [{ url: 'https://erp.example/acs/0', index: 0 }],
      backchannelLogoutUrl: null,
      attributes,
    });
    const trail = itemsOf<{ action: string }>(
      await acme.call('GET', `/audit-events?subject=iam/clients/${String(body['id'])}`),
    );
    expect(trail.map(({ action }) => action)).toEqual([
      'client.updated',
      'client.updated',
      'client.registered',
    ]);
  });

  it('get keys that are made before the organization is locked', async () => {
    const keys = app.app.get(ProviderKeys, { strict: false });
    const generate = keys.generate.bind(keys);
    const spy = jest.spyOn(keys, 'generate').mockImplementation(async () => {
      await app.sql('SELECT FROM tenants WHERE id = $1 FOR UPDATE NOWAIT', [acme.id]);
      return generate();
    });
    try {
      const { status, body } = await register(SIMPLE);
      const rotated = await acme.call('POST', `/saml-clients/${String(body['clientId'])}/rotate-key`);
      expect([status, rotated.status, spy.mock.calls.length]).toEqual([201, 200, 2]);
    } finally {
      spy.mockRestore();
    }
  });

  it('are unknown to other organizations', async () => {
    const { body } = await register(SIMPLE);
    const path = `/saml-clients/${String(body['clientId'])}`;
    expect((await globex.call('GET', path)).status).toBe(404);
    expect((await globex.call('PATCH', path, { idpInitiated: true })).status).toBe(404);
    expect((await globex.call('GET', path, undefined, acme.owner.token)).status).not.toBe(200);
  });

  it('are registered and changed by who may, as the permission check says', async () => {
    const path = `/saml-clients/${String((await register(SIMPLE)).body['clientId'])}`;
    const commands = [
      ['POST', '/saml-clients', 'iam:client:create', { name: 'Warehouse', ...SIMPLE }],
      ['PATCH', path, 'iam:client:update', { idpInitiated: true }],
      ['POST', `${path}/rotate-key`, 'iam:client:rotate-secret', undefined],
    ] as const;
    const { token: member } = await acme.join('member');
    for (const [method, below, scope, body] of commands)
      for (const [token, may] of [
        [member, false],
        [acme.owner.token, true],
      ] as const) {
        const asked = await app.call('POST', '/api/auth/can', { scopes: [scope] }, { token });
        expect([scope, asked.body[scope]]).toMatchObject([scope, { allowed: may }]);
        const { status } = await acme.call(method, below, body, token);
        expect([scope, status < 300, status === 403]).toEqual([scope, may, !may]);
      }
  });

  it('are refused with settings that cannot be used', async () => {
    const consumers = SIMPLE.consumers;
    for (const [data, paths] of [
      [{}, ['entityId', 'consumers']],
      [{ ...SIMPLE, consumers: [{ url: 'http://erp.example/acs', index: 0 }] }, ['consumers[0].url']],
      [{ ...SIMPLE, consumers: [{ url: 'https://erp.example/a/../acs', index: 0 }] }, ['consumers[0].url']],
      [{ ...SIMPLE, consumers: [...consumers, ...consumers] }, ['consumers[1].index']],
      [{ ...SIMPLE, requireSignedRequests: true }, ['certificates']],
      [
        { ...SIMPLE, certificates: ['-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----'] },
        ['certificates[0]'],
      ],
      [{ ...SIMPLE, logoutUrl: 'https://erp.example/slo' }, ['logoutBinding']],
      [{ ...SIMPLE, logoutUrl: 'http://erp.example/slo', logoutBinding: 'post' }, ['logoutUrl']],
      [{ ...SIMPLE, backchannelLogoutUrl: 'http://erp.example/slo' }, ['backchannelLogoutUrl']],
      [{ metadata: metadata('') }, ['metadata']],
      [{ metadata: metadata(Array.from({ length: 21 }, (_, n) => consumer(n)).join('')) }, ['consumers']],
      [{ metadata: metadata(consumer(0)).replace(/entityID="/, '$&a&#10;') }, ['entityId']],
      [{ metadata: metadata(consumer(0, '', 'HTTP-Artifact')) }, ['metadata']],
      [{ metadata: metadata(consumer(0), 'validUntil="2020-01-01T00:00:00Z"') }, ['metadata']],
      [{ metadata: metadata(consumer(0), '', 'IDPSSODescriptor') }, ['metadata']],
      [{ metadata: `<!DOCTYPE a>${metadata(consumer(0))}` }, ['metadata']],
      [{ metadata: metadata(consumer(0)).slice(0, -9) }, ['metadata']],
    ] as const)
      expect(await refusedAt(data)).toEqual([400, paths]);
  });

  it('know this service by their own metadata', async () => {
    const { body } = await register({ ...SIMPLE, nameIdFormat: 'email' });
    const { entityId, signInUrl, logoutUrl } = body['provider'] as unknown as Record<string, string>;
    const local = String(entityId).replace(new URL(String(entityId)).origin, app.url);
    const response = await fetch(local);
    expect(response.headers.get('content-type')).toBe('application/samlmetadata+xml; charset=utf-8');
    const xml = await response.text();
    expect(xml).toContain(`entityID="${entityId}"`);
    expect(xml.match(/Location="[^"]+"/g)).toEqual(
      [logoutUrl, logoutUrl, signInUrl, signInUrl].map((url) => `Location="${url}"`),
    );
    expect(xml).toMatch(/<md:NameIDFormat>[^<]*emailAddress/);
    expect((await fetch(local.replace(String(body['clientId']), 'org-unknown'))).status).toBe(404);
  });

  it('know the next signing key before it signs, and the last one no more', async () => {
    const { body } = await register(SIMPLE);
    const path = `/saml-clients/${String(body['clientId'])}`;
    type Provider = { entityId: string; certificates: { certificate: string; signsFrom: string }[] };
    const providerOf = (answer: Answer) => answer.body['provider'] as unknown as Provider;
    const { entityId, certificates } = body['provider'] as unknown as Provider;
    const local = entityId.replace(new URL(entityId).origin, app.url);
    const published = async () =>
      [...(await (await fetch(local)).text()).matchAll(/X509Certificate>([^<]+)</g)].map(([, one]) => one);
    const bare = (pem = '') => pem.replace(/-----[A-Z ]+-----|\s/g, '');
    const rotated = providerOf(await acme.call('POST', `${path}/rotate-key`));
    expect(rotated.certificates[0]).toEqual(certificates[0]);
    expect(rotated.certificates).toHaveLength(2);
    expect(Date.parse(rotated.certificates[1]?.signsFrom ?? '')).toBeGreaterThan(
      Date.now() + 29 * 86_400_000,
    );
    expect(await published()).toEqual(rotated.certificates.map(({ certificate }) => bare(certificate)));
    expect((await acme.call('POST', `${path}/rotate-key`)).status).toBe(409);
    expect((await globex.call('POST', `${path}/rotate-key`)).status).toBe(404);
    await app.app.get(ProviderKeyRepository, { strict: false }).cleanUp();
    expect(await published()).toHaveLength(2);
    await app.sql(
      "UPDATE saml_client_keys SET signs_from = signs_from - interval '31 days', expires_at = expires_at - interval '31 days' WHERE client_id = $1",
      [body['clientId']],
    );
    expect(await published()).toEqual([bare(rotated.certificates[1]?.certificate)]);
    await app.app.get(ProviderKeyRepository, { strict: false }).cleanUp();
    expect(
      await app.sql('SELECT 1 FROM saml_client_keys WHERE client_id = $1', [body['clientId']]),
    ).toHaveLength(1);
    const endOf = async (certificate = '') => {
      const sql = 'SELECT expires_at FROM saml_client_keys WHERE client_id = $1 AND certificate = $2';
      const [key] = await app.sql<{ expires_at: Date | null }>(sql, [body['clientId'], certificate]);
      return key?.expires_at?.getTime();
    };
    await acme.call('POST', `${path}/rotate-key`);
    const second = rotated.certificates[1]?.certificate;
    const end = await endOf(second);
    await app.sql(
      "UPDATE saml_client_keys SET signs_from = signs_from - interval '31 days' WHERE client_id = $1",
      [body['clientId']],
    );
    expect((await acme.call('POST', `${path}/rotate-key`)).status).toBe(200);
    expect([end, await endOf(second)]).toEqual([expect.any(Number), end]);
  });
});
