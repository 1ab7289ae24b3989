import { signedInAgo } from '../../support/aged.js';
import { Organization, Person } from '../../support/organization.js';
import { FORMATS, responseIn, SamlApp, statusIn } from '../../support/saml-app.js';
import { withApp } from '../../support/test-app.js';

const policy = (format: string, more = '') => ({ more: `<samlp:NameIDPolicy Format="${format}" ${more}/>` });
const context = (name: string, comparison = 'exact') => ({
  more: `<samlp:RequestedAuthnContext Comparison="${comparison}"><saml:AuthnContextClassRef>${name}</saml:AuthnContextClassRef></samlp:RequestedAuthnContext>`,
});

describe('Sign-in to an app by SAML', () => {
  let acme: Organization;
  let ada: Person;
  let token: string;
  let erp: SamlApp;
  const app = withApp();
  beforeAll(async () => {
    acme = await Organization.found(app);
    ada = await Person.signUp(app);
    await acme.admit(ada, 'member');
    token = await ada.select(acme.id);
    erp = await SamlApp.register(app, acme);
  });

  const nameIdIn = (xml: string) => /<saml:NameID Format="([^"]+)"[^>]*>([^<]+)</.exec(xml)?.slice(1);

  it.each(['redirect', 'post'] as const)(
    'is accepted by node-saml, with its request by %s',
    async (binding) => {
      const saml = await erp.library(binding === 'post' ? { skipRequestCompression: true } : {});
      const page =
        binding === 'redirect'
          ? await erp.open(await saml.getAuthorizeUrlAsync('orders', undefined, {}))
          : await erp.open(erp.provider.signInUrl, await saml.getAuthorizeMessageAsync('orders'));
      const answer = await erp.finish(page, token);
      expect([answer.status, answer.action]).toEqual([200, erp.consumer]);
      expect(answer.fields['RelayState']).toBe('orders');
      const { profile } = await saml.validatePostResponseAsync({ ...answer.fields });
      expect(profile).toMatchObject({
        issuer: erp.provider.entityId,
        nameIDFormat: FORMATS.persistent,
        spNameQualifier: erp.entityId,
        email: ada.email,
        sessionIndex: expect.stringMatching(/^_[0-9a-f]{40}$/),
      });
      await expect(saml.validatePostResponseAsync({ ...answer.fields })).rejects.toThrow('InResponseTo');
    },
  );

  it('names the same person the same, and another app another name', async () => {
    const other = await SamlApp.register(app, acme);
    const names = [];
    for (const one of [erp, erp, other]) names.push(nameIdIn(responseIn(await one.signIn(token)))?.[1]);
    expect(names[0]).toBe(names[1]);
    expect(names[2]).not.toBe(names[0]);
    expect(names.join()).not.toContain(ada.id);
  });

  it('gives attributes by the table of the app, and others none', async () => {
    const table = [
      { name: 'urn:oid:0.9.2342.19200300.100.1.3', nameFormat: 'uri', source: 'email' },
      { name: 'org', nameFormat: 'basic', source: 'organization-name' },
      { name: 'org-id', nameFormat: 'unspecified', source: 'organization-id' },
      { name: 'role', nameFormat: 'basic', source: 'roles' },
      { name: 'number', nameFormat: 'basic', source: 'worker-number' },
    ];
    const xml = responseIn(await (await SamlApp.register(app, acme, { attributes: table })).signIn(token));
    const found = [
      ...xml.matchAll(/<saml:Attribute Name="([^"]+)" NameFormat="[^"]+:(\w+)">(.*?)<\/saml:Attribute>/g),
    ].map(([, name, format, values = '']) => [name, format, values.replace(/<[^>]+>/g, '')]);
    expect(found).toEqual([
      ['urn:oid:0.9.2342.19200300.100.1.3', 'uri', ada.email],
      ['org', 'basic', expect.any(String)],
      ['org-id', 'unspecified', acme.id],
      ['role', 'basic', 'member'],
    ]);
    const none = responseIn(await (await SamlApp.register(app, acme, { attributes: [] })).signIn(token));
    expect(none).not.toContain('AttributeStatement');
    expect(none).not.toContain(ada.email);
  });

  it('escapes what people and organizations are called', async () => {
    const name = `<b>"Tools" & 'Sons'</b>`;
    const organization = await Organization.found(app);
    // The last character may not be in XML, also not as a reference.
    expect((await organization.call('PATCH', '', { name: `${name}\ufffe` })).status).toBe(200);
    const attributes = [{ name: 'a"&<', nameFormat: 'basic', source: 'organization-name' }];
    const one = await SamlApp.register(app, organization, { attributes });
    const saml = await one.library();
    const page = await one.open(await saml.getAuthorizeUrlAsync('', undefined, {}));
    const answer = await one.finish(page, organization.owner.token);
    const { profile } = await saml.validatePostResponseAsync({ ...answer.fields });
    expect(profile).toMatchObject({ 'a"&<': `${name}\ufffd` });
  });

  it.each(['transient', 'email', 'unspecified', 'persistent'] as const)(
    'names people by %s',
    async (format) => {
      const answer = responseIn(await erp.signIn(token, policy(FORMATS[format])));
      const [given, value] = nameIdIn(answer) ?? [];
      expect(given).toBe(FORMATS[format === 'unspecified' ? 'persistent' : format]);
      if (format === 'email') expect(value).toBe(ada.email);
      if (format === 'transient') expect(value).toMatch(/^_[0-9a-f]{40}$/);
    },
  );

  it('tells the app, at its address, what it cannot be given', async () => {
    const unknowing = await SamlApp.register(app, acme, { attributes: [] });
    const newcomer = await SamlApp.register(app, acme);
    for (const [one, words, codes] of [
      [
        erp,
        policy('urn:oasis:names:tc:SAML:1.1:nameid-format:X509SubjectName'),
        ['Requester', 'InvalidNameIDPolicy'],
      ],
      [
        erp,
        policy(FORMATS.persistent, 'SPNameQualifier="https://other.example"'),
        ['Requester', 'InvalidNameIDPolicy'],
      ],
      [unknowing, policy(FORMATS.email), ['Requester', 'InvalidNameIDPolicy']],
      [erp, context('urn:oasis:names:tc:SAML:2.0:ac:classes:Kerberos'), ['Requester', 'NoAuthnContext']],
      [erp, context('https://refeds.org/profile/mfa', 'better'), ['Requester', 'NoAuthnContext']],
      [erp, { attributes: 'IsPassive="true" ForceAuthn="1"' }, ['Responder', 'NoPassive']],
      [
        erp,
        { attributes: 'ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact"' },
        ['Requester', 'UnsupportedBinding'],
      ],
      [
        erp,
        { more: '<saml:Subject><saml:NameID>grace</saml:NameID></saml:Subject>' },
        ['Requester', 'RequestUnsupported'],
      ],
    ] as const) {
      const answer = await one.redirect(one.request(words), { relayState: 'x' });
      expect([answer.action, statusIn(answer), answer.fields['RelayState']]).toEqual([
        one.consumer,
        codes,
        'x',
      ]);
      expect(responseIn(answer)).not.toContain('Assertion ');
    }
    const late = await newcomer.signIn(token, policy(FORMATS.persistent, 'AllowCreate="false"'));
    expect(statusIn(late)).toEqual(['Requester', 'InvalidNameIDPolicy']);
    expect(statusIn(await newcomer.signIn(token))).toEqual(['Success']);
    const known = await newcomer.signIn(token, policy(FORMATS.persistent, 'AllowCreate="0"'));
    expect(statusIn(known)).toEqual(['Success']);
  });

  it('signs the status, too', async () => {
    const saml = await erp.library({
      identifierFormat: 'urn:unknown',
      validateInResponseTo: 'never' as never,
    });
    const answer = await erp.open(await saml.getAuthorizeUrlAsync('', undefined, {}));
    await expect(saml.validatePostResponseAsync({ ...answer.fields })).rejects.toThrow('InvalidNameIDPolicy');
    const changed = responseIn(answer).replace('InvalidNameIDPolicy', 'AuthnFailed');
    const SAMLResponse = Buffer.from(changed).toString('base64');
    await expect(saml.validatePostResponseAsync({ SAMLResponse })).rejects.toThrow('signature');
  });

  it('asks no question with IsPassive, and answers NoPassive where it would have to', async () => {
    const passive = { attributes: 'IsPassive="true"' };
    expect(statusIn(await erp.signIn(token, passive))).toEqual(['Success']);
    const page = await erp.redirect(erp.request(passive));
    expect(statusIn(await erp.deny(erp.idOf(page)))).toEqual(['Responder', 'NoPassive']);
    const unasked = await SamlApp.register(app, acme);
    expect((await acme.call('DELETE', `/clients/${unasked.clientId}/consent`)).status).toBe(204);
    expect(statusIn(await unasked.signIn(token, passive))).toEqual(['Responder', 'NoPassive']);
  });

  it('answers a denial', async () => {
    const page = await erp.redirect(erp.request());
    expect(statusIn(await erp.deny(erp.idOf(page)))).toEqual(['Responder', 'RequestDenied']);
  });

  it('asks for a new sign-in with ForceAuthn', async () => {
    const page = await erp.redirect(erp.request({ attributes: 'ForceAuthn="true"' }));
    const person = await Person.again(ada);
    const { accessToken: old } = await signedInAgo(app, person, 120);
    expect((await erp.approve(erp.idOf(page), old)).body['type']).toBe(
      '/errors/insufficient-user-authentication',
    );
  });

  it('demands a second factor where the app does, also of a passive request', async () => {
    const mfa = context('https://refeds.org/profile/mfa');
    const page = await erp.redirect(erp.request(mfa));
    expect((await erp.approve(erp.idOf(page), token)).body['type']).toBe(
      '/errors/insufficient-user-authentication',
    );
    const passive = await erp.signIn(token, { ...mfa, attributes: 'IsPassive="true"' });
    expect(statusIn(passive)).toEqual(['Requester', 'NoAuthnContext']);
  });

  it('says how strong the sign-in was', async () => {
    const classIn = (xml: string) => /AuthnContextClassRef>([^<]+)</.exec(xml)?.[1];
    const password = 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport';
    expect(classIn(responseIn(await erp.signIn(token)))).toBe(password);
    await app.sql('UPDATE sessions SET aal2_at = now() WHERE account_id = $1', [ada.id]);
    expect(classIn(responseIn(await erp.signIn(token)))).toBe('https://refeds.org/profile/mfa');
    expect(classIn(responseIn(await erp.signIn(token, context(password))))).toBe(password);
    await app.sql('UPDATE sessions SET aal2_at = NULL WHERE account_id = $1', [ada.id]);
  });

  it('answers at the registered address that the request names', async () => {
    const [one, two] = ['https://a.example/acs', 'https://b.example/acs?tenant=2'];
    const several = await SamlApp.register(app, acme, {
      consumers: [
        { url: one, index: 7 },
        { url: two, index: 3 },
      ],
    });
    for (const [attributes, action] of [
      ['', one],
      ['AssertionConsumerServiceIndex="3"', two],
      [`AssertionConsumerServiceURL="${two}"`, two],
    ] as const) {
      const answer = await several.signIn(token, { attributes });
      expect(answer.action).toBe(action.replace('&', '&amp;'));
      expect(responseIn(answer)).toContain(`Recipient="${action}"`);
    }
  });

  it('begins here only if the app allows it, with the RelayState that is registered', async () => {
    const start = `${erp.provider.entityId.replace('/metadata', '/start')}?RelayState=https://evil.example`;
    expect((await erp.open(start)).status).toBe(400);
    const change = { idpInitiated: true, defaultRelayState: 'https://erp.example/home' };
    expect((await acme.call('PATCH', `/saml-clients/${erp.clientId}`, change)).status).toBe(200);
    const answer = await erp.finish(await erp.open(start), token);
    expect(answer).toMatchObject({ action: erp.consumer, fields: { RelayState: change.defaultRelayState } });
    expect(responseIn(answer)).not.toContain('InResponseTo');
    const saml = await erp.library({ validateInResponseTo: 'never' as never });
    expect((await saml.validatePostResponseAsync({ ...answer.fields })).profile).toMatchObject({
      email: ada.email,
    });
  });
});
