import { deflateRawSync } from 'node:zlib';
import { posted, redirected } from '../../lab/saml-logout.js';
import { inSeconds, LabKey } from '../../lab/saml-stand-in.js';
import { byTwoFactors } from '../../support/factors.js';
import { Organization, Person, setSignInPolicy } from '../../support/organization.js';
import {
  type BrowserAnswer,
  type RequestWords,
  responseIn,
  SamlApp,
  statusIn,
} from '../../support/saml-app.js';
import { signUpOperator } from '../../support/satellite.js';
import { hire, openStations, Station } from '../../support/station.js';
import { eventually, withApp } from '../../support/test-app.js';

/** A page of the service: nothing goes to the app, nor anywhere else. */
const REFUSED = { status: 400, location: null, action: null };

describe('Attacks on the provider of apps by SAML', () => {
  const key = new LabKey('App');
  const stranger = new LabKey('Stranger');
  let acme: Organization;
  let globex: Organization;
  let ada: Person;
  let token: string;
  let erp: SamlApp;
  let strict: SamlApp;
  const app = withApp();
  beforeAll(async () => {
    [acme, globex] = [await Organization.found(app), await Organization.found(app)];
    ada = await Person.signUp(app);
    await acme.admit(ada, 'member');
    token = await ada.select(acme.id);
    erp = await SamlApp.register(app, acme, { certificates: [key.certificate] }, key);
    strict = await SamlApp.register(
      app,
      acme,
      { certificates: [key.certificate], requireSignedRequests: true },
      key,
    );
  });

  const waits = (answer: BrowserAnswer) => expect(answer.location).toContain('/authorize?request=');
  const queryOf = (xml: string | Buffer) =>
    `?SAMLRequest=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}`;
  const bring = (one: SamlApp, query: string) => one.open(one.provider.signInUrl + query);

  it.each([
    ['of another issuer', { issuer: 'https://other.example' }],
    ['for another destination', { destination: 'https://other.example/sso' }],
    ['without an id', { id: '' }],
    ['with an id of 257 letters', { id: `_${'x'.repeat(256)}` }],
    ['of six minutes ago', { issued: inSeconds(-420) }],
    ['of the future', { issued: inSeconds(180) }],
    [
      'for an address that is not registered',
      { attributes: 'AssertionConsumerServiceURL="https://evil.example/acs"' },
    ],
    ['for an unknown index', { attributes: 'AssertionConsumerServiceIndex="9"' }],
    [
      'for an address and an index',
      { attributes: 'AssertionConsumerServiceIndex="0" AssertionConsumerServiceURL="X"' },
    ],
    ['with an encrypted part', { more: '<saml:EncryptedID/>' }],
    ['with two issuers', { more: '<saml:Issuer>https://other.example</saml:Issuer>' }],
  ])('refuses a request %s', async (_, words: Partial<RequestWords>) => {
    const attributes = words.attributes?.replace('"X"', `"${erp.consumer}"`);
    const xml = erp.request({ ...words, ...(attributes !== undefined && { attributes }) });
    expect(await erp.redirect(xml)).toMatchObject(REFUSED);
    expect(await erp.post(xml)).toMatchObject(REFUSED);
  });

  it('compares addresses character by character', async () => {
    for (const other of ['/', '?', '#x', '/../acs', '%2f', '@evil.example'].map(
      (end) => erp.consumer + end,
    )) {
      const xml = erp.request({ attributes: `AssertionConsumerServiceURL="${other}"` });
      expect(await erp.redirect(xml)).toMatchObject(REFUSED);
    }
    const upper = erp.consumer.replace('https', 'HTTPS');
    const xml = erp.request({ attributes: `AssertionConsumerServiceURL="${upper}"` });
    expect(await erp.redirect(xml)).toMatchObject(REFUSED);
  });

  it('takes an id of 256 letters, for fifteen minutes', async () => {
    const page = await erp.redirect(erp.request({ id: `_${'x'.repeat(255)}` }));
    const { body } = await erp.approve(erp.idOf(page), token);
    const state = new URL(String(body['redirectTo'])).searchParams.get('state') ?? '';
    const [row] = await app.sql<{ seconds: number }>(
      `UPDATE saml_requests r SET expires_at = now() FROM saml_requests before
       WHERE r.state_hash = sha256($1) AND before.state_hash = r.state_hash
       RETURNING extract(epoch FROM before.expires_at - now())::int AS seconds`,
      [Buffer.from(state)],
    );
    expect(row?.seconds).toBeGreaterThan(890);
    expect(await erp.open(String(body['redirectTo']))).toMatchObject(REFUSED);
  });

  it('never sends a browser to the RelayState', async () => {
    const xml = erp.request();
    const page = await erp.redirect(xml, { relayState: 'https://evil.example/"><b>' });
    const answer = await erp.finish(page, token);
    expect(answer).toMatchObject({ action: erp.consumer, location: null });
    expect(answer.html).toContain('name="RelayState" value="https://evil.example/&#34;&#62;&#60;b&#62;"');
    expect(await erp.redirect(erp.request(), { relayState: 'x'.repeat(2_001) })).toMatchObject(REFUSED);
  });

  it('accepts the id of a request once for each app', async () => {
    const id = '_0123456789abcdef';
    const first = await erp.redirect(erp.request({ id }));
    waits(first);
    expect(await erp.redirect(erp.request({ id }))).toMatchObject(REFUSED);
    expect(await erp.post(erp.request({ id }))).toMatchObject(REFUSED);
    waits(await strict.redirect(strict.request({ id }), { key }));
    await erp.finish(first, token);
    expect(await erp.redirect(erp.request({ id }))).toMatchObject(REFUSED);
  });

  it('accepts one of two requests with the same id at the same time', async () => {
    const xml = erp.request();
    const answers = await Promise.all([erp.redirect(xml), erp.redirect(xml), erp.post(xml)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 400, 400]);
  });

  it('answers once, whatever comes back', async () => {
    const page = await erp.redirect(erp.request());
    const { body } = await erp.approve(erp.idOf(page), token);
    const address = String(body['redirectTo']);
    const answers = await Promise.all([erp.open(address), erp.open(address)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(await erp.open(address)).toMatchObject(REFUSED);
    expect((await app.get('/api/v1/iam/me', token)).status).toBe(200);
    const denied = erp.idOf(await erp.redirect(erp.request()));
    const denial = await app.call('POST', `/api/v1/iam/auth/authorizations/${denied}/deny`);
    expect((await erp.open(String(denial.body['redirectTo']))).status).toBe(200);
    expect(await erp.open(String(denial.body['redirectTo']))).toMatchObject(REFUSED);
  });

  it('takes no code of another request', async () => {
    const [mine, theirs] = [await erp.redirect(erp.request()), await erp.redirect(erp.request())];
    const attacker = await acme.join('member');
    const approved = await erp.approve(erp.idOf(mine), attacker.token);
    const code = new URL(String(approved.body['redirectTo'])).searchParams.get('code') ?? '';
    const { body } = await erp.approve(erp.idOf(theirs), token);
    const mixed = new URL(String(body['redirectTo']));
    mixed.searchParams.set('code', code);
    expect(await erp.open(mixed.href)).toMatchObject(REFUSED);
  });

  it('is no client of the endpoints of OAuth', async () => {
    const page = await erp.redirect(erp.request());
    const { body } = await erp.approve(erp.idOf(page), token);
    const { searchParams } = new URL(String(body['redirectTo']));
    const form = {
      grant_type: 'authorization_code',
      code: searchParams.get('code') ?? '',
      redirect_uri: erp.consumer,
      code_verifier: searchParams.get('state') ?? '',
      client_id: erp.clientId,
    };
    const post = { method: 'POST', body: new URLSearchParams(form) };
    expect((await fetch(`${app.url}/oauth2/token`, post)).status).toBe(401);
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: erp.clientId,
      redirect_uri: erp.consumer,
      scope: 'openid',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    const { location } = await erp.open(`${app.url}/oauth2/authorize?${query}`);
    expect(new URL(location ?? '').searchParams.get('error')).toBe('unauthorized_client');
  });

  it('demands the signature of an app that signs', async () => {
    const xml = strict.request();
    expect(await strict.redirect(xml)).toMatchObject(REFUSED);
    expect(await strict.post(xml)).toMatchObject(REFUSED);
    waits(await strict.redirect(xml, { key }));
    waits(await strict.post(strict.request(), key));
  });

  it('refuses a signature of another key, also where none is demanded', async () => {
    expect(await erp.redirect(erp.request(), { key: stranger })).toMatchObject(REFUSED);
    expect(await erp.post(erp.request(), stranger)).toMatchObject(REFUSED);
    waits(await erp.redirect(erp.request(), { key }));
  });

  /** A request that is signed in its XML. */
  const signed = (one: SamlApp, { privateKey }: LabKey): string => {
    const { SAMLRequest = '' } = posted(one.request(), privateKey, 'AuthnRequest');
    return Buffer.from(SAMLRequest, 'base64').toString();
  };

  it('takes the signature of a redirect from its XML too, by the key of the app', async () => {
    for (const one of [erp, strict]) {
      waits(await bring(one, queryOf(signed(one, key))));
      expect(await bring(one, queryOf(signed(one, stranger)))).toMatchObject(REFUSED);
    }
  });

  it('refuses a redirect that is signed twice', async () => {
    for (const one of [erp, strict])
      expect(await one.redirect(signed(one, key), { key })).toMatchObject(REFUSED);
  });

  it('refuses a signed request without a destination', async () => {
    const words = { destination: null };
    expect(await erp.redirect(erp.request(words), { key })).toMatchObject(REFUSED);
    expect(await erp.post(erp.request(words), key)).toMatchObject(REFUSED);
    waits(await erp.redirect(erp.request(words)));
  });

  it('verifies the parameters as they came', async () => {
    const query = redirected(strict.request(), key.privateKey, 'here');
    const [request = '', relayState = '', alg = '', signature = ''] = query.slice(1).split('&');
    for (const forged of [
      query.replace('RelayState=here', 'RelayState=there'),
      query.replace('&RelayState=here', ''),
      query.replace('SAMLRequest=', 'SAMLRequest=AAAA&SAMLRequest='),
      `${query}&RelayState=there`,
      `${query}&SigAlg=none`,
      query.replace('rsa-sha256', 'rsa-sha1'),
      query.replace(/Signature=.*/, 'Signature='),
      query.replace(/&Signature=.*/, ''),
      `?${[request, relayState, signature].join('&')}`,
    ])
      expect(await bring(strict, forged)).toMatchObject(REFUSED);
    waits(await bring(strict, `?${[signature, alg, relayState, request].join('&')}`));
  });

  it('signs nothing that was sent next to the signed element', async () => {
    const xml = signed(strict, key);
    const [, signature = ''] = /(<ds:Signature .*<\/ds:Signature>)/s.exec(xml) ?? [];
    const inner = xml.replace(signature, '');
    for (const forged of [
      xml.replace('Version="2.0"', 'Version="2.0" ForceAuthn="false"'),
      strict.request({ more: `<samlp:Extensions>${inner}</samlp:Extensions>${signature}` }),
      strict.request({ more: signature }),
      xml.replace(
        '</samlp:AuthnRequest>',
        `<samlp:Extensions>${signature}</samlp:Extensions></samlp:AuthnRequest>`,
      ),
    ]) {
      const SAMLRequest = Buffer.from(forged).toString('base64');
      expect(await strict.open(strict.provider.signInUrl, { SAMLRequest })).toMatchObject(REFUSED);
      expect(await bring(strict, queryOf(forged))).toMatchObject(REFUSED);
    }
  });

  it('refuses XML that parsers read differently', async () => {
    const xml = erp.request();
    for (const bad of [
      `<!DOCTYPE samlp:AuthnRequest>${xml}`,
      `<!DOCTYPE x [<!ENTITY a "b">]>${xml}`,
      erp.request({ issuer: `${erp.entityId}<!-- -->` }),
      erp.request({ issuer: erp.entityId.replace('/saml', '/<!---->saml') }),
      erp.request({ issuer: `<![CDATA[${erp.entityId}]]>` }),
      erp.request({ issuer: `${erp.entityId}&a;` }),
      `<?xml-stylesheet href="x"?>${xml}`,
      `${xml}${xml}`,
      xml.slice(0, -1),
      erp.request({ more: '<samlp:Extensions>'.repeat(12) + '</samlp:Extensions>'.repeat(12) }),
    ]) {
      expect(await bring(erp, queryOf(bad))).toMatchObject(REFUSED);
      const SAMLRequest = Buffer.from(bad).toString('base64');
      expect(await erp.open(erp.provider.signInUrl, { SAMLRequest })).toMatchObject(REFUSED);
    }
  });

  it('inflates a bounded number of bytes', async () => {
    const bomb = Buffer.from(erp.request() + ' '.repeat(1_000_000));
    const query = queryOf(bomb);
    expect(query.length).toBeLessThan(4_000);
    expect(await bring(erp, query)).toMatchObject(REFUSED);
    expect(await bring(erp, '?SAMLRequest=%%%')).toMatchObject(REFUSED);
    expect(await bring(erp, '')).toMatchObject(REFUSED);
  });

  it('signs in members of the organization of the app only', async () => {
    const stranger = globex.owner.token;
    const page = await erp.redirect(erp.request());
    expect((await erp.approve(erp.idOf(page), stranger)).body['type']).toBe('/errors/not-a-member');
    const passive = await erp.redirect(erp.request({ attributes: 'IsPassive="true"' }));
    expect(statusIn(await erp.finish(passive, stranger))).toEqual(['Responder', 'RequestDenied']);
  });

  it('gives apps of two organizations with the same entity id assertions of different issuers and keys', async () => {
    const same = { entityId: erp.entityId, consumers: [{ url: erp.consumer, index: 0 }] };
    const theirs = await SamlApp.register(app, globex, same);
    const answer = await theirs.signIn(globex.owner.token);
    expect(responseIn(answer)).toContain(`<saml:Issuer>${theirs.provider.entityId}</saml:Issuer>`);
    const saml = await erp.library({ validateInResponseTo: 'never' as never });
    // The library compares no Issuer of an assertion: the key decides.
    await expect(saml.validatePostResponseAsync({ ...answer.fields })).rejects.toThrow('Invalid');
    expect(await erp.redirect(erp.request({ destination: theirs.provider.signInUrl }))).toMatchObject(
      REFUSED,
    );
  });

  it('gives no assertion once the membership has ended', async () => {
    const leaver = await acme.join('member');
    const page = await erp.redirect(erp.request());
    const { body } = await erp.approve(erp.idOf(page), leaver.token);
    expect((await acme.call('DELETE', `/members/${leaver.person.id}`)).status).toBe(204);
    expect(statusIn(await erp.open(String(body['redirectTo'])))).toEqual(['Responder', 'RequestDenied']);
  });

  it('refuses suspended members', async () => {
    const member = await acme.join('member');
    const suspended = await acme.call('POST', `/members/${member.person.id}/suspend`);
    expect(suspended.status).toBe(200);
    const page = await erp.redirect(erp.request());
    expect((await erp.approve(erp.idOf(page), member.token)).status).not.toBe(200);
  });

  it('keeps to the sign-in policy of the organization', async () => {
    const organization = await Organization.found(app);
    const one = await SamlApp.register(app, organization);
    await setSignInPolicy(organization, { secondFactor: 'required' });
    await eventually('the policy is known', async () => {
      const page = await one.redirect(one.request());
      const { body } = await one.approve(one.idOf(page), organization.owner.token);
      return body['type'] === '/errors/insufficient-user-authentication';
    });
  });

  it.each([
    ['is archived', 'POST', '/archive', undefined],
    ['asks for a second factor', 'PUT', '/sign-in-policy', { secondFactor: 'required', graceDays: 0 }],
  ])('gives no assertion once the organization %s', async (_, method, path, body) => {
    const organization = await Organization.found(app);
    const one = await SamlApp.register(app, organization);
    const member = await organization.join('member');
    const page = await one.redirect(one.request());
    const approved = await one.approve(one.idOf(page), member.token);
    const strong = byTwoFactors(app, organization.owner.token);
    expect((await organization.call(method, path, body, strong)).status).toBe(200);
    const answer = await one.open(String(approved.body['redirectTo']));
    expect(statusIn(answer)).toEqual(['Responder', 'RequestDenied']);
  });

  it('signs no one in by a session at a station', async () => {
    const organization = await Organization.found(app);
    await openStations(organization);
    const station = await Station.of(organization);
    const { number, pin } = await hire(organization, station);
    const session = await station.signIn({ number, pin });
    const one = await SamlApp.register(app, organization);
    for (const attributes of ['', 'IsPassive="true"']) {
      const page = await one.redirect(one.request({ attributes }));
      const { status } = await one.approve(one.idOf(page), String(session.body['accessToken']));
      expect(status).toBe(403);
    }
  });

  it('serves no disabled or deleted app', async () => {
    const one = await SamlApp.register(app, acme, { idpInitiated: true });
    const page = await one.redirect(one.request());
    const approved = await one.approve(one.idOf(page), token);
    const waiting = await one.redirect(one.request());
    const operator = await signUpOperator(app);
    const disable = `/api/v1/iam/satellites/${one.clientId}/disable`;
    expect((await app.call('POST', disable, {}, { token: operator.token })).status).toBe(200);
    expect(await one.open(String(approved.body['redirectTo']))).toMatchObject(REFUSED);
    expect((await one.approve(one.idOf(waiting), token)).status).toBe(404);
    expect(await one.redirect(one.request())).toMatchObject(REFUSED);
    expect(await one.open(one.provider.entityId.replace('metadata', 'start'))).toMatchObject(REFUSED);
    expect((await one.open(one.provider.entityId)).status).toBe(404);
    expect((await acme.call('DELETE', `/clients/${one.clientId}`)).status).toBe(204);
    expect(await one.redirect(one.request())).toMatchObject(REFUSED);
    expect((await acme.call('GET', `/saml-clients/${one.clientId}`)).status).toBe(404);
  });

  it('sends nothing to an address that was removed since the request', async () => {
    const one = await SamlApp.register(app, acme);
    const [page, later] = [await one.redirect(one.request()), await one.redirect(one.request())];
    const approved = await one.approve(one.idOf(page), token);
    const consumers = [{ url: 'https://new.example/acs', index: 0 }];
    expect((await acme.call('PATCH', `/saml-clients/${one.clientId}`, { consumers })).status).toBe(200);
    expect(await one.open(String(approved.body['redirectTo']))).toMatchObject(REFUSED);
    expect((await one.approve(one.idOf(later), token)).status).toBe(404);
  });

  it('takes no request by HEAD, which scanners of links send', async () => {
    const xml = erp.request();
    const local = erp.provider.signInUrl.replace(new URL(erp.provider.signInUrl).origin, app.url);
    const head = await fetch(local + redirected(xml, null), { method: 'HEAD' });
    expect(head.status).toBe(405);
    waits(await erp.redirect(xml));
  });
});
