import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LabKey } from '../../lab/saml-stand-in.js';
import { Organization, Person } from '../../support/organization.js';
import { responseIn, SamlApp } from '../../support/saml-app.js';
import { signUpOperator } from '../../support/satellite.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { withApp } from '../../support/test-app.js';

const PATH = '/api/v1/iam/saml-clients';

describe('Apps of the platform that speak SAML', () => {
  let operator: Person;
  let ada: Person;
  let [acme, globex]: Organization[] = [];
  const app = withApp();
  beforeAll(async () => {
    [operator, ada] = [await signUpOperator(app), await Person.signUp(app)];
    [acme, globex] = [await Organization.found(app, ada), await Organization.found(app)];
  });

  const call = (method: string, path: string, body?: unknown, token = operator.token) =>
    app.call(method, path, body, { token });
  const nameIdIn = (xml: string) => /<saml:NameID [^>]*>([^<]+)</.exec(xml)?.[1];

  it('sign people of each organization in, and of none', async () => {
    const attributes = [
      { name: 'email', nameFormat: 'basic', source: 'email' },
      { name: 'org', nameFormat: 'basic', source: 'organization-id' },
    ];
    const erp = await SamlApp.registerForPlatform(app, operator.token, { attributes });
    const found = [];
    for (const token of [await ada.select(acme!.id), globex!.owner.token, ada.token]) {
      const xml = responseIn(await erp.signIn(token));
      found.push(/Name="org"[^>]*><saml:AttributeValue>([^<]+)</.exec(xml)?.[1]);
    }
    expect(found).toEqual([acme!.id, globex!.id, undefined]);
  });

  it('learn a name of the person that no other app knows, also apps of yours at the same host', async () => {
    const first = { firstParty: true, consumers: [{ url: 'https://erp.example/acs', index: 0 }] };
    const apps = [];
    for (const data of [first, first])
      apps.push(await SamlApp.registerForPlatform(app, operator.token, data));
    const names = [];
    for (const one of [...apps, apps[0]!]) names.push(nameIdIn(responseIn(await one.signIn(ada.token))));
    expect(names[0]).toBe(names[2]);
    expect(new Set([...names, ada.id]).size).toBe(3);
  });

  it('are asked for consent, unless they are yours', async () => {
    for (const firstParty of [false, true]) {
      const erp = await SamlApp.registerForPlatform(app, operator.token, { firstParty });
      const id = erp.idOf(await erp.redirect(erp.request()));
      const { body } = await app.get(`/api/v1/iam/auth/authorizations/${id}`, ada.token);
      expect(body).toMatchObject({ client: { name: 'Warehouse' }, needsConsent: !firstParty });
    }
  });

  it('are clients of the registry, which lists, renames and disables them', async () => {
    const erp = await SamlApp.registerForPlatform(app, operator.token);
    const path = `/api/v1/iam/satellites/${erp.clientId}`;
    const renamed = await call('PATCH', path, { name: 'Stock' });
    expect(renamed.body).toMatchObject({ name: 'Stock', protocol: 'saml', satelliteCodes: false });
    expect((await call('GET', `${PATH}/${erp.clientId}`)).body).toEqual({
      ...erp.registration,
      name: 'Stock',
    });
    expect((await call('PATCH', path, { scopes: ['iam:member:read'] })).status).toBe(400);
    expect((await call('POST', `${path}/disable`)).status).toBe(200);
    expect((await erp.redirect(erp.request())).status).toBe(400);
  });

  it('are changed, and get keys, which the trail says', async () => {
    const erp = await SamlApp.registerForPlatform(app, operator.token);
    const path = `${PATH}/${erp.clientId}`;
    const { body } = await call('PATCH', path, { idpInitiated: true });
    expect(body).toEqual({ ...erp.registration, idpInitiated: true });
    const rotated = await call('POST', `${path}/rotate-key`);
    expect(rotated.body['provider']).toMatchObject({
      certificates: [expect.any(Object), expect.any(Object)],
    });
    expect((await call('POST', `${path}/rotate-key`)).status).toBe(409);
    const trail = await app.sql<{ action: string }>(
      'SELECT action FROM audit_events WHERE subject = $1 ORDER BY id',
      [`iam/satellites/${String(body['id'])}`],
    );
    expect(trail.map(({ action }) => action)).toEqual([
      'satellite.registered',
      'satellite.updated',
      'satellite.key-rotated',
    ]);
  });

  it('are for operators only, as the permission check says', async () => {
    const erp = await SamlApp.registerForPlatform(app, operator.token);
    const path = `${PATH}/${erp.clientId}`;
    const data = {
      name: 'Stock',
      entityId: 'urn:stock',
      consumers: [{ url: 'https://a.example/', index: 0 }],
    };
    const commands = [
      ['POST', PATH, 'iam:satellite:create', { ...data, clientId: 'stock' }],
      ['GET', path, 'iam:satellite:read', undefined],
      ['PATCH', path, 'iam:satellite:update', { idpInitiated: true }],
      ['POST', `${path}/rotate-key`, 'iam:satellite:update', undefined],
    ] as const;
    for (const [method, below, scope, body] of commands)
      for (const [token, may] of [
        [acme!.owner.token, false],
        [operator.token, true],
      ] as const) {
        const asked = await app.call('POST', '/api/auth/can', { scopes: [scope] }, { token });
        expect([scope, asked.body[scope]]).toMatchObject([scope, { allowed: may }]);
        const { status } = await call(method, below, body, token);
        expect([scope, status < 300, status === 403]).toEqual([scope, may, !may]);
      }
    expect((await call('POST', PATH, { ...data, clientId: 'stock' })).status).toBe(409);
    expect((await acme!.call('GET', `/saml-clients/${erp.clientId}`)).status).toBe(404);
  });

  it('are no clients of OpenID Connect', async () => {
    const { body } = await call('POST', '/api/v1/iam/satellites', {
      clientId: 'orders-by-openid',
      name: 'Orders',
      redirectUris: ['https://orders.example/cb'],
    });
    for (const [method, path, data] of [
      ['GET', '', undefined],
      ['PATCH', '', { idpInitiated: true }],
      ['POST', '/rotate-key', undefined],
    ] as const)
      expect((await call(method, `${PATH}/${String(body['clientId'])}${path}`, data)).status).toBe(404);
  });

  it('are managed by the command line', async () => {
    const folder = temporaryFolder('saml-apps');
    const [metadata, file] = [join(folder, 'sp.xml'), join(folder, 'more.json')];
    const protocol = 'urn:oasis:names:tc:SAML:2.0:protocol';
    await writeFile(
      metadata,
      `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="urn:erp"><SPSSODescriptor protocolSupportEnumeration="${protocol}"><AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://erp.example/acs" index="0"/></SPSSODescriptor></EntityDescriptor>`,
    );
    await writeFile(file, JSON.stringify({ certificates: [new LabKey('App').certificate] }));
    const named = ['--client-id', 'erp-by-command'];
    const registered = await app.command(
      'saml-app:register',
      ...named,
      '--name',
      'ERP',
      '--metadata',
      metadata,
      '--file',
      file,
      '--first-party',
    );
    expect(registered).toMatchObject({
      entityId: 'urn:erp',
      consumers: [{ url: 'https://erp.example/acs' }],
      certificates: [expect.stringContaining('BEGIN CERTIFICATE')],
    });
    expect(await app.command('saml-app:show', ...named)).toEqual(registered);
    const other = { clientId: 'no-saml', name: 'Wiki', redirectUris: ['https://wiki.example/cb'] };
    expect((await call('POST', '/api/v1/iam/satellites', other)).status).toBe(201);
    const { items } = (await app.command('saml-app:list')) as { items: { clientId: string }[] };
    expect(items).toContainEqual(
      expect.objectContaining({ clientId: 'erp-by-command', status: 'active', organizationId: null }),
    );
    expect(items.map(({ clientId }) => clientId)).not.toContain('no-saml');
    await writeFile(file, JSON.stringify({ idpInitiated: true }));
    const updated = await app.command('saml-app:update', ...named, '--file', file);
    expect(updated).toEqual({ ...registered, idpInitiated: true });
    const rotated = (await app.command('saml-app:rotate-key', ...named)) as { provider: object };
    expect(rotated.provider).toMatchObject({ certificates: [expect.any(Object), expect.any(Object)] });
    await expect(
      app.command('saml-app:update', ...named, '--metadata', join(folder, 'none')),
    ).rejects.toThrow('metadata');
    await expect(app.command('saml-app:show', '--client-id', 'unknown')).rejects.toThrow();
  });
});
