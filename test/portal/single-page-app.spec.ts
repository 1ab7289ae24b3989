import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ClientService } from '../../src/client/index.js';
import { CHROMIUM } from '../support/chromium.js';
import { expectGuarded } from '../support/guarded-request.js';
import { Person } from '../support/organization.js';
import { PortalBrowser, startPortal, type Visitor } from '../support/portal.js';
import type { TestApp } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const CLIENT_ID = 'orders-app';

/** A page of an app, whose only code is the library and its settings. */
const pageOf = (authority: string): string => `<!doctype html><title>Orders</title>
<script src="/oidc-client-ts.js"></script>
<script>
  const manager = new oidc.UserManager({
    authority: '${authority}',
    client_id: '${CLIENT_ID}',
    redirect_uri: location.origin + '/callback',
    post_logout_redirect_uri: location.origin + '/goodbye',
    scope: 'openid profile email',
    loadUserInfo: true,
  });
  if (location.pathname === '/callback')
    manager.signinRedirectCallback().then(
      ({ state }) => location.replace(state),
      (error) => { document.title = 'Failed: ' + error.message; },
    );
</script>`;

/** What the page knows of its user. */
interface Shown {
  readonly email: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

declare const location: { readonly pathname: string };
declare const manager: {
  signinRedirect(options: object): Promise<void>;
  signinSilent(): Promise<unknown>;
  signoutRedirect(): Promise<void>;
  getUser(): Promise<{
    profile: { email: string };
    access_token: string;
    refresh_token: string;
  } | null>;
};

describeWith([CHROMIUM], 'A single-page app with oidc-client-ts', () => {
  let app: TestApp;
  let site: Server;
  let url: string;
  let portal: PortalBrowser;
  let visitor: Visitor;
  let ada: Person;
  beforeAll(async () => {
    // No origin of the app is on the list.
    app = await startPortal({ ALLOWED_ORIGINS: 'https://shop.example' });
    const script = await readFile(resolve('node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js'));
    site = createServer((request, response) => {
      const isScript = request.url === '/oidc-client-ts.js';
      response
        .writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
        .end(isScript ? script : pageOf(app.url));
    });
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
    url = `http://localhost:${(site.address() as AddressInfo).port}`;
    await app.app.get(ClientService, { strict: false }).register(null, {
      clientId: CLIENT_ID,
      name: 'Orders',
      type: 'public',
      tokenEndpointAuthMethod: 'none',
      grantTypes: ['authorization_code', 'refresh_token'],
      redirectUris: [`${url}/callback`],
      postLogoutRedirectUris: [`${url}/goodbye`],
      firstParty: true,
    });
    portal = await PortalBrowser.open(app.url);
    ada = await Person.signUp(app);
    visitor = await portal.visitor();
  });
  afterAll(async () => {
    await portal.close();
    await app.stop();
    site.closeAllConnections();
    await new Promise((done) => site.close(done));
  });

  const user = () =>
    visitor.page.evaluate(async (): Promise<Shown | null> => {
      const known = await manager.getUser();
      return (
        known && {
          email: known.profile.email,
          accessToken: known.access_token,
          refreshToken: known.refresh_token,
        }
      );
    });
  const userInfo = async (token: string) =>
    (await fetch(`${app.url}/oauth2/userinfo`, { headers: { Authorization: `Bearer ${token}` } })).status;

  it('signs a visitor in, back to the page that was asked for', async () => {
    await visitor.page.goto(`${url}/orders/7`);
    expect(await user()).toBeNull();
    const asked = visitor.page.waitForRequest((request) => request.url().includes('/oauth2/authorize?'));
    await visitor.page.evaluate(
      () => void manager.signinRedirect({ state: location.pathname, nonce: crypto.randomUUID() }),
    );
    expectGuarded((await asked).url());
    await visitor.signIn(ada);
    await visitor.page.waitForURL(`${url}/orders/7`);
    expect(await user()).toMatchObject({ email: ada.email });
  });

  it('renews its tokens in the background, and keeps the newest ones', async () => {
    const before = await user();
    await visitor.page.evaluate(() => manager.signinSilent());
    const after = await user();
    expect(after?.accessToken).not.toBe(before?.accessToken);
    expect(after?.refreshToken).not.toBe(before?.refreshToken);
    expect(await userInfo(after?.accessToken ?? '')).toBe(200);
  });

  it('signs the visitor out here and there', async () => {
    const before = await user();
    await visitor.page.evaluate(() => void manager.signoutRedirect());
    await visitor.page.waitForURL(`${url}/goodbye**`);
    expect(await user()).toBeNull();
    expect(await userInfo(before?.accessToken ?? '')).toBe(401);
  });
});
