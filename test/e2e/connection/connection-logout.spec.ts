import { generateKeyPair, SignJWT } from 'jose';
import { ulid } from 'ulid';
import { logoutRequest, type LogoutWords, messageIn, posted, redirected } from '../../lab/saml-logout.js';
import { OidcStandIn } from '../../lab/oidc-stand-in.js';
import { inSeconds, LabKey, SamlStandIn } from '../../lab/saml-stand-in.js';
import { LabConnection, oidcSettings, samlSettings } from '../../support/connection.js';
import { Organization, Person } from '../../support/organization.js';
import { Replicas } from '../../support/replicas.js';
import { pkce, TestSatellite } from '../../support/satellite.js';
import { eventually, type TestApp } from '../../support/test-app.js';

const SLO = 'https://idp.example.com/slo';
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

describe('A logout of a session by a connection', () => {
  const lab = new SamlStandIn();
  const stranger = new LabKey('Stranger');
  let replicas: Replicas;
  let app: TestApp;
  let organization: Organization;
  let oidc: OidcStandIn;
  beforeAll(async () => {
    oidc = await OidcStandIn.start();
    oidc.twist = {
      metadata: {
        end_session_endpoint: `${oidc.issuer}/logout?tenant=lab`,
        backchannel_logout_supported: true,
      },
    };
    replicas = await Replicas.start({ PORTAL: 'off', CONNECTION_TRUSTED_HOSTS: '127.0.0.1' });
    app = replicas.app;
    organization = await Organization.found(app);
  });
  afterAll(async () => {
    await replicas.stop();
    await oidc.close();
  });

  const active = async (given: object) => {
    const connection = await LabConnection.active(organization, given as never);
    await connection.call('PATCH', '', { provisioning: { justInTime: true } });
    return connection;
  };
  const bySaml = (settings: object = { sloUrl: SLO }) =>
    active({ kind: 'saml', settings: { ...samlSettings(lab).settings, ...settings } });
  const byOidc = () => active(oidcSettings(oidc));

  interface Signed {
    readonly token: string;
    readonly name: string;
  }
  /** Signs a person in by SAML, with this index of the session at the provider. */
  const signIn = async (
    connection: LabConnection,
    { name = `n-${ulid()}`, index = '_s1' }: { name?: string; index?: string | null } = {},
  ): Promise<Signed> => {
    const words = { attributes: { email: `${name.toLowerCase()}@${connection.domain}` } };
    const before = (xml: string) =>
      xml.replace(' SessionIndex="_s1"', index === null ? '' : ` SessionIndex="${index}"`);
    const { fragment } = await connection.bring(
      lab.answer(await connection.start(), name, { words, before }),
    );
    expect(fragment).toHaveProperty('access_token');
    return { token: fragment['access_token'] ?? '', name };
  };
  const signInByOidc = async (connection: LabConnection, sid?: string): Promise<Signed> => {
    const name = ulid();
    oidc.person = { sub: name, email: `${name.toLowerCase()}@${connection.domain}`, ...(sid && { sid }) };
    const { fragment } = await connection.bring(oidc.visit(await connection.start()));
    expect(fragment).toHaveProperty('access_token');
    return { token: fragment['access_token'] ?? '', name };
  };
  const isAlive = async ({ token }: Signed, at = app) =>
    (await at.get('/api/v1/iam/me', token)).status === 200;
  const logout = ({ token }: Signed, body?: object) =>
    app.call('POST', '/api/v1/iam/auth/logout', body, { token });
  const metadataOf = async ({ id }: LabConnection) =>
    (await fetch(`${app.url}/api/iam/auth/external/saml/metadata/${id}`)).text();
  const certificateOf = async (connection: LabConnection) => {
    const text = /<ds:X509Certificate>([^<]*)</.exec(await metadataOf(connection))?.[1] ?? '';
    return `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----`;
  };

  const pathOf = ({ id }: LabConnection) => `/api/iam/auth/external/saml/logout/${id}`;
  const addressOf = (connection: LabConnection) => `http://gatehouse.test${pathOf(connection)}`;
  const requestOf = (connection: LabConnection, { name }: Signed, words: Partial<LogoutWords> = {}) =>
    logoutRequest({ issuer: lab.issuer, nameId: name, destination: addressOf(connection), ...words });
  const open = async (connection: LabConnection, query: string) => {
    const response = await fetch(`${app.url}${pathOf(connection)}${query}`, { redirect: 'manual' });
    await response.body?.cancel();
    return { status: response.status, location: response.headers.get('location') ?? '' };
  };
  const post = async (connection: LabConnection, form: Record<string, string>) => {
    const response = await fetch(`${app.url}${pathOf(connection)}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(form),
    });
    await response.body?.cancel();
    return { status: response.status, location: response.headers.get('location') ?? '' };
  };

  describe('at our own request', () => {
    it('by SAML goes on to the provider, with a signed request for that session', async () => {
      const connection = await bySaml();
      const person = await signIn(connection, { index: '_of-ada' });
      const { status, body } = await logout(person, { upstream: true });
      expect(status).toBe(200);
      expect(await isAlive(person)).toBe(false);
      const address = String(body['logoutUrl']);
      expect(address.startsWith(`${SLO}?SAMLRequest=`)).toBe(true);
      const { xml, signed } = messageIn(address, 'SAMLRequest', await certificateOf(connection));
      expect(signed).toBe(true);
      expect(xml).toContain(`Destination="${SLO}"`);
      expect(xml).toContain(
        `<saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">${person.name}</saml:NameID>`,
      );
      expect(xml).toContain('<samlp:SessionIndex>_of-ada</samlp:SessionIndex>');
    });

    it('by OpenID Connect goes on to the provider, with our client id', async () => {
      const connection = await byOidc();
      const person = await signInByOidc(connection);
      const { status, body } = await logout(person, { upstream: true });
      const { origin, pathname, searchParams } = new URL(String(body['logoutUrl']));
      expect([status, `${origin}${pathname}`]).toEqual([200, `${oidc.issuer}/logout`]);
      const { serviceProvider } = (await connection.call('GET')).body;
      expect(Object.fromEntries(searchParams)).toEqual({
        tenant: 'lab',
        client_id: oidc.clientId,
        post_logout_redirect_uri: (serviceProvider as unknown as Record<string, unknown>)[
          'postLogoutRedirectUri'
        ],
      });
      expect(await isAlive(person)).toBe(false);
    });

    it('stays here unless it is asked for, or where the provider offers none', async () => {
      const [with_, without] = [await bySaml(), await bySaml({})];
      for (const [person, body] of [
        [await signIn(with_), undefined],
        [await signIn(with_), {}],
        [await signIn(with_), { upstream: false }],
        [await signIn(without), { upstream: true }],
        [{ token: (await Person.again(organization.owner.person)).token, name: '' }, { upstream: true }],
      ] as const) {
        expect((await logout(person, body)).status).toBe(204);
        expect(await isAlive(person)).toBe(false);
      }
      expect((await logout(await signIn(with_), { upstream: 'yes' })).status).toBe(400);
    });

    it('names no address to a third-party client, and ends all the same', async () => {
      const person = await signIn(await bySaml());
      const satellite = await TestSatellite.withScopes(app);
      const { accessToken } = await satellite.signIn(person.token);
      const { status, body } = await logout({ ...person, token: accessToken }, { upstream: true });
      expect([status, body]).toEqual([204, {}]);
      expect(await isAlive(person)).toBe(false);
    });

    it('ends here even if the request to the provider cannot be made', async () => {
      const person = await signIn(await bySaml());
      await app.sql("UPDATE upstream_sessions SET sealed = 'changed'");
      expect((await logout(person, { upstream: true })).status).toBe(204);
      expect(await isAlive(person)).toBe(false);
    });

    it('keeps the name of the person at the provider sealed', async () => {
      const person = await signIn(await bySaml(), { index: '_canary-index' });
      const rows = await app.sql('SELECT * FROM upstream_sessions');
      const text = JSON.stringify(rows);
      expect(rows.length).toBeGreaterThan(0);
      for (const canary of [person.name, '_canary-index', Buffer.from(person.name).toString('hex')])
        expect(text).not.toContain(canary);
    });

    it('comes back from the provider to the app', async () => {
      const connection = await bySaml();
      const back = { status: 303, location: expect.stringMatching(/\/sign-in$/) };
      expect(await open(connection, '?SAMLResponse=any&RelayState=https%3A%2F%2Fevil.example')).toEqual(back);
      expect(await post(connection, { SAMLResponse: 'any' })).toEqual(back);
    });
  });

  describe('at the request of its provider by SAML', () => {
    it('ends the session on each replica, and is answered with a signed response', async () => {
      const connection = await bySaml();
      const person = await signIn(connection);
      expect(await isAlive(person, replicas.other)).toBe(true);
      const xml = requestOf(connection, person, { id: '_request', indexes: ['_s1'] });
      const { status, location } = await open(connection, redirected(xml, lab.key.privateKey, 'relay'));
      expect([status, location.startsWith(`${SLO}?SAMLResponse=`)]).toEqual([303, true]);
      const answer = messageIn(location, 'SAMLResponse', await certificateOf(connection));
      expect(answer).toMatchObject({ signed: true, relayState: 'relay' });
      expect(answer.xml).toContain('InResponseTo="_request"');
      expect(answer.xml).toContain('urn:oasis:names:tc:SAML:2.0:status:Success');
      await eventually(
        'the session to end on the other replica',
        async () => !(await isAlive(person, replicas.other)),
      );
      expect(await isAlive(person)).toBe(false);
    });

    it('ends it by a form, too', async () => {
      const connection = await bySaml();
      const person = await signIn(connection);
      const form = posted(requestOf(connection, person), lab.key.privateKey);
      expect((await post(connection, form)).status).toBe(303);
      expect(await isAlive(person)).toBe(false);
    });

    it('ends the session of its index alone; without an index all of the person', async () => {
      const connection = await bySaml();
      const name = `n-${ulid()}`;
      const [first, second, third] = [
        await signIn(connection, { name, index: '_1' }),
        await signIn(connection, { name, index: '_2' }),
        await signIn(connection, { name, index: '_3' }),
      ];
      const states = () => Promise.all([first, second, third].map((one) => isAlive(one)));
      const end = (indexes: string[]) =>
        open(connection, redirected(requestOf(connection, first, { indexes }), lab.key.privateKey));
      expect((await end(['_2'])).status).toBe(303);
      expect(await states()).toEqual([true, false, true]);
      expect((await end([])).status).toBe(303);
      expect(await states()).toEqual([false, false, false]);
    });

    it('ends nothing by the index of another person, and nothing at another connection', async () => {
      const [connection, other] = [await bySaml(), await bySaml()];
      const [ada, eve] = [
        await signIn(connection, { index: '_ada' }),
        await signIn(connection, { index: '_eve' }),
      ];
      const namesake = await signIn(other, { name: eve.name, index: '_eve' });
      const send = (to: LabConnection, words: Partial<LogoutWords>) =>
        open(to, redirected(requestOf(to, eve, words), lab.key.privateKey));
      expect((await send(connection, { indexes: ['_ada'] })).status).toBe(303);
      expect([await isAlive(ada), await isAlive(eve)]).toEqual([true, true]);
      expect((await send(connection, {})).status).toBe(303);
      expect([await isAlive(ada), await isAlive(eve), await isAlive(namesake)]).toEqual([true, false, true]);
    });

    it('ends a session whose sign-in waits for its code to be redeemed', async () => {
      const connection = await bySaml();
      const { codeChallenge, codeVerifier } = pkce();
      const name = `n-${ulid()}`;
      const words = { attributes: { email: `${name.toLowerCase()}@${connection.domain}` } };
      const begin = async () => {
        const address = await connection.start({ codeChallenge });
        return (await connection.bring(lab.answer(address, name, { words }))).fragment['code'];
      };
      const redeem = (code: string | undefined) =>
        app.call('POST', '/api/v1/iam/auth/external/token', { code, codeVerifier });
      const { body } = await redeem(await begin());
      const person = { token: String(body['accessToken']), name };
      const waiting = await begin();
      await open(connection, redirected(requestOf(connection, person), lab.key.privateKey));
      expect([await isAlive(person), (await redeem(waiting)).status]).toEqual([false, 400]);
      expect((await redeem(await begin())).status).toBe(200);
    });

    it('counts once', async () => {
      const connection = await bySaml();
      const name = `n-${ulid()}`;
      const query = redirected(requestOf(connection, await signIn(connection, { name })), lab.key.privateKey);
      expect((await open(connection, query)).status).toBe(303);
      const again = await signIn(connection, { name });
      expect((await open(connection, query)).status).toBe(400);
      const xml = requestOf(connection, again, { id: '_once' });
      expect((await post(connection, posted(xml, lab.key.privateKey))).status).toBe(303);
      const third = await signIn(connection, { name });
      expect((await open(connection, redirected(xml, lab.key.privateKey))).status).toBe(400);
      expect(await isAlive(third)).toBe(true);
    });

    it.each<[string, Partial<LogoutWords>]>([
      ['expired', { until: inSeconds(-3_600) }],
      ['too old', { issued: '2020-01-01T00:00:00Z', until: null }],
      ['of the future', { issued: '2100-01-01T00:00:00Z', until: '2100-01-01T00:05:00Z' }],
      ['for another address', { destination: 'http://gatehouse.test/other' }],
      ['for no address', { destination: null }],
      ['of another issuer', { issuer: 'https://other.example/saml' }],
      ['of a person of another provider', { nameIdAttributes: 'NameQualifier="https://other.example"' }],
      ['of a person for another service', { nameIdAttributes: 'SPNameQualifier="https://other.example"' }],
      ['with a second name', { more: '<saml:NameID>other</saml:NameID>' }],
      ['without an id', { id: '' }],
    ])('is refused %s', async (_, words) => {
      const connection = await bySaml();
      const person = await signIn(connection);
      const xml = requestOf(connection, person, words);
      expect(await open(connection, redirected(xml, lab.key.privateKey))).toEqual({
        status: 400,
        location: '',
      });
      expect(await isAlive(person)).toBe(true);
    });

    it('is refused unsigned, signed by another key, and changed after it was signed', async () => {
      const [connection, other] = [await bySaml(), await bySaml()];
      const person = await signIn(connection);
      const xml = requestOf(connection, person);
      const changed = (query: string) => query.replace('RelayState=a', 'RelayState=b');
      const inner = Buffer.from(posted(xml, lab.key.privateKey)['SAMLRequest'] ?? '', 'base64').toString();
      for (const query of [
        redirected(xml, null),
        redirected(xml, stranger.privateKey),
        changed(redirected(xml, lab.key.privateKey, 'a')),
        redirected(xml, lab.key.privateKey).replace('rsa-sha256', 'rsa-sha1'),
        redirected(xml, lab.key.privateKey).replace(/&Signature=.*/, '&Signature='),
        `${redirected(xml, lab.key.privateKey)}&SAMLRequest=again`,
        redirected(inner, null), // signed within, which does not count by redirect
        '?SAMLRequest=none&SigAlg=none&Signature=none',
        '',
      ])
        expect((await open(connection, query)).status).toBe(400);
      for (const form of [
        posted(xml, null),
        posted(xml, stranger.privateKey),
        { SAMLRequest: Buffer.from(inner.replace(person.name, 'other')).toString('base64') },
        {},
      ])
        expect((await post(connection, form)).status).toBe(400);
      // A request for one connection at another of the same provider.
      expect((await open(other, redirected(xml, lab.key.privateKey))).status).toBe(400);
      expect((await post(other, posted(xml, lab.key.privateKey))).status).toBe(400);
      expect(await isAlive(person)).toBe(true);
    });

    it('is refused where the connection is unknown, or by OpenID Connect', async () => {
      const connection = await byOidc();
      expect((await open(connection, '?SAMLResponse=any')).status).toBe(404);
      expect((await open({ id: ulid() } as LabConnection, '?SAMLRequest=any')).status).toBe(404);
    });

    it('still ends a session once the connection is disabled', async () => {
      const connection = await bySaml();
      const person = await signIn(connection);
      expect((await connection.call('POST', '/disable')).status).toBe(200);
      const query = redirected(requestOf(connection, person), lab.key.privateKey);
      expect((await open(connection, query)).status).toBe(303);
      expect(await isAlive(person)).toBe(false);
    });

    it('ends no session by settings that no member has activated', async () => {
      const [connection, disabled] = [await bySaml(), await bySaml()];
      await disabled.call('POST', '/disable');
      const person = await signIn(connection);
      for (const one of [connection, disabled]) {
        const changed = await one.call('PATCH', '', { settings: { sloUrl: 'https://other.example.com/' } });
        expect(changed).toMatchObject({ status: 200, body: { status: 'draft' } });
      }
      const xml = requestOf(connection, person);
      expect((await open(connection, redirected(xml, lab.key.privateKey))).status).toBe(400);
      expect((await post(connection, posted(xml, lab.key.privateKey))).status).toBe(400);
      expect(await isAlive(person)).toBe(true);
      expect((await logout(person, { upstream: true })).status).toBe(204);
    });

    it('names its address in the settings and in our metadata', async () => {
      const connection = await bySaml();
      const { body } = await connection.call('GET');
      expect(body).toMatchObject({
        settings: { sloUrl: SLO },
        serviceProvider: { sloUrl: addressOf(connection) },
      });
      const xml = await metadataOf(connection);
      for (const binding of ['HTTP-Redirect', 'HTTP-POST'])
        expect(xml).toContain(
          `<SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${addressOf(connection)}"/>`,
        );
      const refused = await connection.call('PATCH', '', { settings: { sloUrl: 'https://10.0.0.1/' } });
      expect(refused.status).toBe(400);
    });
  });

  describe('at the request of its provider by OpenID Connect', () => {
    // Each organization has 50 connections at most.
    beforeAll(async () => {
      organization = await Organization.found(app);
    });

    const tokenOf = (claims: object = {}, header: object = {}) =>
      oidc.sign(
        {
          iss: oidc.issuer,
          aud: oidc.clientId,
          iat: seconds(0),
          exp: seconds(120),
          jti: ulid(),
          events: { [EVENT]: {} },
          ...claims,
        },
        { typ: 'logout+jwt', ...header },
      );
    const seconds = (from: number) => Math.floor(Date.now() / 1_000) + from;
    const send = async (connection: LabConnection, token: string) => {
      const response = await fetch(
        `${app.url}/api/iam/auth/external/oidc/backchannel-logout/${connection.id}`,
        { method: 'POST', body: new URLSearchParams({ logout_token: token }) },
      );
      await response.body?.cancel();
      return response.status;
    };

    it('ends the session of its sid alone, or all of the person, on each replica', async () => {
      const connection = await byOidc();
      const [first, second] = [await signInByOidc(connection, '_1'), await signInByOidc(connection, '_2')];
      expect(await isAlive(first, replicas.other)).toBe(true);
      expect(await send(connection, await tokenOf({ sid: '_1' }))).toBe(200);
      await eventually(
        'the session to end on the other replica',
        async () => !(await isAlive(first, replicas.other)),
      );
      expect([await isAlive(first), await isAlive(second)]).toEqual([false, true]);
      expect(await send(connection, await tokenOf({ sid: '_2', sub: first.name }))).toBe(200);
      expect(await isAlive(second)).toBe(true);
      expect(await send(connection, await tokenOf({ sub: second.name }))).toBe(200);
      expect(await isAlive(second)).toBe(false);
    });

    it('counts once', async () => {
      const connection = await byOidc();
      const person = await signInByOidc(connection, '_once');
      const token = await tokenOf({ sid: '_other' });
      expect([await send(connection, token), await send(connection, token)]).toEqual([200, 400]);
      expect(await isAlive(person)).toBe(true);
    });

    it.each<[string, () => [object, object?]]>([
      ['of another issuer', () => [{ iss: 'https://other.example' }]],
      ['for another client', () => [{ aud: 'other' }]],
      ['expired', () => [{ exp: seconds(-3_600) }]],
      ['without an end', () => [{ exp: undefined }]],
      ['without a time', () => [{ iat: undefined }]],
      ['too old', () => [{ iat: seconds(-3_600) }]],
      ['without an id', () => [{ jti: undefined }]],
      ['with a nonce', () => [{ nonce: 'any' }]],
      ['without the event', () => [{ events: {} }]],
      ['with another event', () => [{ events: { 'https://other.example': {} } }]],
      ['without events, as an ID token', () => [{ events: undefined }]],
      ['of another type', () => [{}, { typ: 'at+jwt' }]],
      ['without session and person', () => [{ sub: undefined }]],
    ])('is refused %s', async (_, changes) => {
      const connection = await byOidc();
      const person = await signInByOidc(connection);
      const [claims, header] = changes();
      expect(await send(connection, await tokenOf({ sub: person.name, ...claims }, header))).toBe(400);
      expect(await isAlive(person)).toBe(true);
    });

    it('is refused signed by another key, unsigned, and at another connection', async () => {
      const [connection, other] = [await byOidc(), await byOidc()];
      await other.call('PATCH', '', { settings: { clientId: 'another' } });
      const person = await signInByOidc(connection);
      const { privateKey } = await generateKeyPair('ES256');
      const forged = await new SignJWT({
        iss: oidc.issuer,
        aud: oidc.clientId,
        jti: ulid(),
        sub: person.name,
        events: { [EVENT]: {} },
      })
        .setProtectedHeader({ alg: 'ES256', kid: 'lab', typ: 'logout+jwt' })
        .setIssuedAt()
        .setExpirationTime('2m')
        .sign(privateKey);
      const real = await tokenOf({ sub: person.name });
      for (const token of [forged, real.replace(/[^.]*$/, ''), 'none', ''])
        expect(await send(connection, token)).toBe(400);
      expect(await send(other, real)).toBe(400);
      expect(await send(await bySaml(), real)).toBe(404);
      expect(await isAlive(person)).toBe(true);
    });

    it('ends no session by settings that no member has activated', async () => {
      const connection = await byOidc();
      const person = await signInByOidc(connection);
      await connection.call('PATCH', '', { settings: { scopes: ['groups'] } });
      expect(await send(connection, await tokenOf({ sub: person.name }))).toBe(400);
      expect(await isAlive(person)).toBe(true);
      expect((await logout(person, { upstream: true })).status).toBe(204);
    });

    it('names its address in the settings', async () => {
      const connection = await byOidc();
      expect((await connection.call('GET')).body['serviceProvider']).toMatchObject({
        sloUrl: `http://gatehouse.test/api/iam/auth/external/oidc/backchannel-logout/${connection.id}`,
      });
    });
  });
});
