import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ulid } from 'ulid';
import { SamlStandIn } from '../lab/saml-stand-in.js';
import { CHROMIUM } from '../support/chromium.js';
import { LabConnection, samlSettings } from '../support/connection.js';
import { Organization } from '../support/organization.js';
import { PortalBrowser, startPortal, type Visitor } from '../support/portal.js';
import { pkce } from '../support/satellite.js';
import type { TestApp } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

/**
 * Login CSRF (RFC 9700 section 4.7): a page of another site posts a valid response of an attacker
 * into the browser of a victim. The service is at 127.0.0.1, the page at localhost, which is
 * another site for a browser.
 */
describeWith([CHROMIUM], 'A response that a foreign page posts into a browser', () => {
  const lab = new SamlStandIn();
  const eve = ulid();
  let foreign: Server;
  let page: string;
  let app: TestApp;
  let portal: PortalBrowser;
  let organization: Organization;
  let connection: LabConnection;
  let victim: Visitor;
  /** What the foreign page posts. */
  let form: Record<string, string>;
  beforeAll(async () => {
    foreign = createServer((_, response) => {
      const action = `${app.url}/api/iam/auth/external/saml/callback/${connection.id}`;
      const fields = Object.entries(form).map(
        ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
      );
      const script = '<script>document.forms[0].submit()</script>';
      response
        .setHeader('content-type', 'text/html')
        .end(`<form method="post" action="${action}">${fields.join('')}</form>${script}`);
    });
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    page = `http://localhost:${(foreign.address() as AddressInfo).port}/prize`;
    app = await startPortal();
    portal = await PortalBrowser.open(app.url);
    organization = await Organization.found(app);
    connection = await LabConnection.active(organization, samlSettings(lab));
    await app.sql(
      `INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject) VALUES ($1, $2, 'saml', $3, $4, $5)`,
      [ulid(), (await organization.join('member')).person.id, connection.id, lab.issuer, eve],
    );
  });
  beforeEach(async () => {
    victim = await portal.visitor();
  });
  afterEach(() => portal.leave());
  afterAll(async () => {
    await portal.close();
    await app.stop();
    foreign.close();
  });

  const words = () => ({ attributes: { email: `eve@${connection.domain}` } });
  const unsolicited = async () => {
    const own = { ...words(), inResponseTo: null, confirmationInResponseTo: null };
    const { SAMLResponse } = lab.answer(await connection.start(), eve, { words: own });
    return { SAMLResponse, RelayState: `${app.url}/account` };
  };
  const allow = async (idpInitiated: boolean) =>
    expect((await connection.call('PATCH', '', { idpInitiated })).status).toBe(200);
  /** Starts a sign-in as the attacker, to return to the page of the portal that completes one. */
  const startAs = (body: object = {}) => {
    const { codeChallenge } = pkce();
    return connection.start({ returnUri: `${app.url}/signed-in`, codeChallenge, ...body });
  };
  const isNotSignedIn = async () => {
    await victim.goto('/account');
    await victim.sees('Sign in');
  };

  it('is refused with a page that says what to do, if no sign-in was started', async () => {
    await allow(false);
    form = await unsolicited();
    await victim.page.goto(page);
    await victim.sees('This sign-in cannot be completed');
    await victim.reads('Sign in again where you started.');
    expect(victim.page.url()).toContain(app.url);
    await isNotSignedIn();
  });

  it('only leads to the provider, if the connection allows a start from there', async () => {
    await allow(true);
    form = await unsolicited();
    await victim.page.route('https://idp.example.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>Whose account?</h1>' }),
    );
    await victim.page.goto(page);
    await victim.sees('Whose account?');
    const request = new URL(victim.page.url()).searchParams;
    expect([...request.keys()]).toEqual(expect.arrayContaining(['SAMLRequest', 'RelayState']));
    await isNotSignedIn();
  });

  it('signs no person in by the code of a sign-in that its author started', async () => {
    form = lab.answer(await startAs(), eve, { words: words() });
    await victim.page.goto(page);
    await victim.sees('Sign-in failed');
    expect(victim.page.url()).toBe(`${app.url}/signed-in`);
    expect(await victim.page.context().cookies()).toEqual([]);
    await isNotSignedIn();
  });

  it('gives no tokens of a sign-in that its author started', async () => {
    form = lab.answer(await startAs({ codeChallenge: undefined }), eve, { words: words() });
    await victim.page.goto(page);
    await victim.sees('This sign-in cannot be completed');
    expect(victim.page.url()).not.toContain('access_token');
    await isNotSignedIn();
  });

  it('leaves a person signed in who was, as themselves', async () => {
    const { person } = organization.owner;
    await victim.goto('/account');
    await victim.signIn(person);
    await victim.reads(person.email);
    form = lab.answer(await startAs(), eve, { words: words() });
    await victim.page.goto(page);
    await victim.sees('Sign-in failed');
    await victim.goto('/account');
    await victim.reads(person.email);
  });
});
