import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { logoutRequest, type LogoutWords, messageIn, posted, redirected } from '../../lab/saml-logout.js';
import { inSeconds, LabKey } from '../../lab/saml-stand-in.js';
import { Organization, Person } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { responseIn, SamlApp, statusIn } from '../../support/saml-app.js';
import { eventually, TestApp } from '../../support/test-app.js';

const SLO = 'https://erp.example/slo';
const REFUSED = { status: 400, location: null, action: null };

/** The server of an app, which takes requests by SOAP. */
class SoapApp {
  readonly requests: { readonly body: string; readonly type: string; readonly action: string }[] = [];
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<SoapApp> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const app = new SoapApp(server, `http://127.0.0.1:${port}/soap`);
    server.on('request', (request, response) => {
      void text(request).then((body) => {
        const { 'content-type': type = '', soapaction: action } = request.headers;
        app.requests.push({ body, type, action: String(action) });
        response.end('<answer/>');
      });
    });
    return app;
  }

  stop(): Promise<unknown> {
    return new Promise((resolve) => this.server.close(resolve));
  }
}

describe('A logout with an app by SAML', () => {
  const key = new LabKey('App');
  let app: TestApp;
  let acme: Organization;
  let erp: SamlApp;
  let soap: SoapApp;
  beforeAll(async () => {
    soap = await SoapApp.start();
    app = await TestApp.start({ WEBHOOK_TRUSTED_HOSTS: '127.0.0.1' });
    acme = await Organization.found(app);
    erp = await register({ logoutUrl: SLO, logoutBinding: 'redirect' });
  });
  afterAll(async () => {
    await app.stop();
    await soap.stop();
  });

  const register = (data: object) =>
    SamlApp.register(app, acme, { certificates: [key.certificate], ...data }, key);

  interface SignedIn {
    readonly person: Person;
    readonly token: string;
    readonly nameId: string;
    readonly index: string;
  }
  const signIn = async (
    one: SamlApp = erp,
    member?: { person: Person; token: string },
  ): Promise<SignedIn> => {
    const { person, token } = member ?? (await acme.join('member'));
    const xml = responseIn(await one.signIn(token));
    const [, nameId = ''] = /<saml:NameID [^>]*>([^<]+)</.exec(xml) ?? [];
    const [, index = ''] = /SessionIndex="([^"]+)"/.exec(xml) ?? [];
    return { person, token, nameId, index };
  };
  const requestOf = (one: SamlApp, words: Partial<LogoutWords> & { nameId: string }) =>
    logoutRequest({ issuer: one.entityId, destination: one.provider.logoutUrl, ...words });
  const end = (
    words: Partial<LogoutWords> & { nameId: string },
    { one = erp, by = key, relayState }: { one?: SamlApp; by?: LabKey | null; relayState?: string } = {},
  ) =>
    one.open(one.provider.logoutUrl + redirected(requestOf(one, words), by?.privateKey ?? null, relayState));
  const isSignedIn = async ({ token }: { token: string }) =>
    (await app.get('/api/v1/iam/me', token)).status === 200;

  it('by the app, by redirect, ends the session, and answers with a signature', async () => {
    const ada = await signIn();
    const id = '_the-request';
    const { status, location } = await end(
      { id, nameId: ada.nameId, indexes: [ada.index] },
      { relayState: 'back' },
    );
    expect(status).toBe(303);
    expect(await isSignedIn(ada)).toBe(false);
    const answer = messageIn(location ?? '', 'SAMLResponse', await erp.certificate());
    expect(location).toMatch(/^https:\/\/erp\.example\/slo\?SAMLResponse=/);
    expect(answer).toMatchObject({ signed: true, relayState: 'back' });
    expect(answer.xml).toContain(`InResponseTo="${id}"`);
    expect(answer.xml).toContain(`Destination="${SLO}"`);
    expect(answer.xml).toContain('status:Success"/></samlp:Status>');
  });

  it('by node-saml is answered as it expects', async () => {
    const ada = await signIn();
    const saml = await erp.library({
      privateKey: key.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
      signatureAlgorithm: 'sha256',
    });
    const profile = {
      issuer: erp.provider.entityId,
      nameID: ada.nameId,
      nameIDFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      sessionIndex: ada.index,
    };
    const { location } = await erp.open(await saml.getLogoutUrlAsync(profile as never, '', {}));
    expect(await isSignedIn(ada)).toBe(false);
    const { search, searchParams } = new URL(location ?? '');
    const result = await saml.validateRedirectAsync(Object.fromEntries(searchParams), search.slice(1));
    expect(result).toMatchObject({ loggedOut: true });
  });

  it('by the app, by a form, is answered by a form', async () => {
    const one = await register({ logoutUrl: SLO, logoutBinding: 'post' });
    const ada = await signIn(one);
    const xml = requestOf(one, { nameId: ada.nameId });
    const fields = { ...posted(xml, key.privateKey), RelayState: 'back' };
    const answer = await one.open(one.provider.logoutUrl, fields);
    expect(answer).toMatchObject({ status: 200, action: SLO, fields: { RelayState: 'back' } });
    expect(statusIn(answer)).toEqual(['Success']);
    expect(responseIn(answer)).toContain('<ds:SignatureValue>');
    expect(await isSignedIn(ada)).toBe(false);
  });

  it('leads to the portal if the app takes no response', async () => {
    const one = await register({});
    const ada = await signIn(one);
    const { location } = await end({ nameId: ada.nameId }, { one });
    expect(location).toBe(new URL(erp.provider.entityId).origin);
    expect(await isSignedIn(ada)).toBe(false);
  });

  it('ends the sessions of the index, or all of the person at the app', async () => {
    const first = await signIn();
    const again = async () => {
      const person = await Person.again(first.person);
      return signIn(erp, { person, token: await person.select(acme.id) });
    };
    const [second, third] = [await again(), await again()];
    expect([second.nameId, new Set([first.index, second.index, third.index]).size]).toEqual([
      first.nameId,
      3,
    ]);
    await end({ nameId: first.nameId, indexes: [second.index] });
    expect(await Promise.all([first, second, third].map(isSignedIn))).toEqual([true, false, true]);
    await end({ nameId: first.nameId });
    expect(await Promise.all([first, third].map(isSignedIn))).toEqual([false, false]);
  });

  it("ends no one else's session", async () => {
    const [ada, grace] = [await signIn(), await signIn()];
    const other = await register({ logoutUrl: SLO, logoutBinding: 'redirect' });
    const atOther = await signIn(other, ada);
    for (const [words, by] of [
      [{ nameId: ada.nameId, indexes: [grace.index] }, {}],
      [{ nameId: atOther.nameId }, {}],
      [{ nameId: ada.nameId, indexes: ['_none'] }, {}],
      [{ nameId: ada.nameId }, { one: other }],
      [{ nameId: ada.person.id }, {}],
    ] as const) {
      expect((await end(words, by)).status).toBe(303);
      expect(await Promise.all([ada, grace].map(isSignedIn))).toEqual([true, true]);
    }
  });

  it('is refused if it is forged, old, for another, or sent again', async () => {
    const ada = await signIn();
    const { nameId } = ada;
    const stranger = new LabKey('Stranger');
    for (const [words, more] of [
      [{ nameId }, { by: stranger }],
      [{ nameId }, { by: null }],
      [{ nameId, issuer: 'https://other.example' }, {}],
      [{ nameId, destination: 'https://other.example/slo' }, {}],
      [{ nameId, destination: null }, {}],
      [{ nameId, issued: inSeconds(-420) }, {}],
      [{ nameId, until: inSeconds(-120) }, {}],
      [{ nameId, nameIdAttributes: 'NameQualifier="https://other.example"' }, {}],
      [{ nameId, nameIdAttributes: 'SPNameQualifier="https://other.example"' }, {}],
      [{ nameId: `${nameId}<!-- -->` }, {}],
      [{ nameId: '' }, {}],
      [{ nameId: 'x'.repeat(501) }, {}],
      [{ nameId, indexes: Array.from({ length: 21 }, () => ada.index) }, {}],
    ] as const)
      expect(await end(words, more)).toMatchObject(REFUSED);
    expect(await isSignedIn(ada)).toBe(true);

    const id = '_sent-twice';
    expect((await end({ id, nameId: 'no-person' })).status).toBe(303);
    expect(await end({ id, nameId })).toMatchObject(REFUSED);
    const form = { ...posted(requestOf(erp, { nameId }), null) };
    expect(await erp.open(erp.provider.logoutUrl, form)).toMatchObject(REFUSED);
    expect(await isSignedIn(ada)).toBe(true);
    // An id of a request to sign in says nothing of one to sign out.
    await erp.redirect(erp.request({ id: '_of-both' }), { key });
    expect((await end({ id: '_of-both', nameId })).status).toBe(303);
    expect(await isSignedIn(ada)).toBe(false);
  });

  it('asks the person where the app has no certificate', async () => {
    const one = await register({ certificates: [], logoutUrl: SLO, logoutBinding: 'redirect' });
    const ada = await signIn(one);
    const { location } = await end({ nameId: ada.nameId }, { one, by: null });
    expect(location).toBe(`${new URL(erp.provider.entityId).origin}/sign-out?client_id=${one.clientId}`);
    expect(await isSignedIn(ada)).toBe(true);
  });

  it('at the portal is told to the server of the app by SOAP, and ends at the others too', async () => {
    const one = await register({ backchannelLogoutUrl: soap.url });
    const ada = await signIn(one);
    const orders = await RelyingParty.register(app);
    const { id, ...departure } = await orders.request();
    const { body } = await orders.approve(id, ada.token);
    const tokens = await orders.redeem(String(body['redirectTo']), departure as never);
    await app.post('logout', {}, { token: ada.token });
    await eventually('the request', () => soap.requests.length === 1);
    const [{ body: xml = '', type, action } = {}] = soap.requests;
    expect([type, action]).toEqual([
      'text/xml; charset=utf-8',
      '"http://www.oasis-open.org/committees/security"',
    ]);
    expect(xml).toContain(`>${ada.nameId}</saml:NameID>`);
    expect(xml).toContain(`<samlp:SessionIndex>${ada.index}</samlp:SessionIndex>`);
    expect(xml).toContain(`Destination="${soap.url}"`);
    const inner = xml.replace(/^.*<soap:Body>|<\/soap:Body>.*$/gs, '');
    const saml = await one.library();
    const SAMLRequest = Buffer.from(inner).toString('base64');
    const { profile } = await saml.validatePostRequestAsync({ SAMLRequest });
    expect(profile).toMatchObject({ nameID: ada.nameId, issuer: one.provider.entityId });
    expect((await app.get('/oauth2/userinfo', tokens.access_token)).status).toBe(401);
  });

  it('says that it is partial if an app of the session cannot be told', async () => {
    const ada = await signIn();
    await signIn(await register({ backchannelLogoutUrl: soap.url }), ada);
    const whole = await end({ nameId: ada.nameId });
    const xmlOf = async ({ location }: { location: string | null }) =>
      messageIn(location ?? '', 'SAMLResponse', await erp.certificate()).xml;
    expect(await xmlOf(whole)).not.toContain('PartialLogout');
    const grace = await signIn();
    await signIn(await register({}), grace);
    expect(await xmlOf(await end({ nameId: grace.nameId }))).toContain('status:PartialLogout"');
    expect(await isSignedIn(grace)).toBe(false);
    // Of a session that has ended already, there is nothing to tell.
    const hopper = await signIn();
    await signIn(await register({}), hopper);
    await app.post('logout', {}, { token: hopper.token });
    expect(await xmlOf(await end({ nameId: hopper.nameId }))).not.toContain('PartialLogout');
  });

  it('finds people by their address, and by a transient name', async () => {
    for (const nameIdFormat of ['email', 'transient']) {
      const one = await register({ nameIdFormat, logoutUrl: SLO, logoutBinding: 'redirect' });
      const ada = await signIn(one);
      await end({ nameId: ada.nameId, indexes: [ada.index] }, { one });
      expect(await isSignedIn(ada)).toBe(false);
    }
  });
});
