import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { CHROMIUM, LIGHT } from '../support/chromium.js';
import { describeWith } from '../support/tools.js';
import { Provider } from './harness.js';

/** What an app in the browser offers; its library is bundled as it is. */
interface SinglePageApp {
  login(): Promise<void>;
  finish(): Promise<Record<string, unknown>>;
  refresh(): Promise<boolean>;
  logout(): Promise<void>;
}
declare const window: { app: SinglePageApp };

interface Case {
  readonly file: string;
  /** Why it cannot get tokens. */
  readonly fails?: string;
  readonly refreshes?: true;
  readonly signsOut?: true;
  /** Which of its errors are tried as well. */
  readonly tells?: readonly ('refusal' | 'end')[];
}

const CASES: readonly Case[] = [
  { file: 'angular-auth-oidc-client', refreshes: true, signsOut: true },
  { file: 'angular-oauth2-oidc', refreshes: true, signsOut: true },
  { file: 'axa-oidc-client', refreshes: true },
  // It sends cookies to the token endpoint, which allows any origin: browsers refuse that.
  { file: 'keycloak-js', fails: 'Failed to fetch' },
  // At the end of a session it goes on in a frame, for which the page of the callback would answer.
  { file: 'msal-browser', refreshes: true, signsOut: true, tells: ['refusal'] },
  { file: 'oidc-client', refreshes: true, signsOut: true },
  { file: 'oidc-client-ts', refreshes: true, signsOut: true, tells: ['refusal', 'end'] },
  { file: 'oidc-spa', refreshes: true, signsOut: true },
  { file: 'okta-auth-js', refreshes: true },
  { file: 'react-oidc-context', refreshes: true, signsOut: true },
];

describeWith([CHROMIUM], 'Libraries of other authors in the browser', () => {
  let provider: Provider;
  let browser: Browser;
  beforeAll(async () => {
    provider = await Provider.start();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: [...LIGHT] });
  });
  afterAll(async () => {
    await browser?.close();
    await provider?.stop();
  });

  describe.each(CASES)('$file', ({ file, fails, ...does }) => {
    let server: Server;
    let site: string;
    let context: BrowserContext;
    let page: Page;
    beforeAll(async () => {
      let script = '';
      server = createServer((request, response) => {
        const isScript = request.url === '/app.js';
        response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
        response.end(isScript ? script : '<!doctype html><script type="module" src="/app.js"></script>');
      });
      await new Promise<void>((resolve) => server.listen(0, resolve));
      site = `http://localhost:${(server.address() as AddressInfo).port}`;
      const { clientId } = await provider.register(site, {
        type: 'public',
        redirectUris: ['/callback', '/callback/'],
        postLogoutRedirectUris: ['/', '/callback/'],
      });
      script = await provider.bundle(`${file}.browser.mjs`, {
        ISSUER: provider.issuer,
        CLIENT_ID: clientId,
      });
      context = await browser.newContext({ ignoreHTTPSErrors: true });
      page = await context.newPage();
      page.setDefaultTimeout(15_000);
    });
    afterAll(async () => {
      await context?.close();
      server?.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });

    const ready = () => page.waitForFunction(() => window.app !== undefined);
    const signIn = async () => {
      await page.goto(`${site}/`);
      await ready();
      // Leaves the page: what it returns is lost with it.
      await page.evaluate(() => void window.app.login());
      await page.waitForURL((url) => url.href.startsWith(`${site}/callback`));
      await ready();
    };

    it(fails ? 'gets a code only' : 'signs a person in, and knows who it is', async () => {
      await signIn();
      const finished = page.evaluate(() => window.app.finish());
      if (fails !== undefined) return expect(finished).rejects.toThrow(fails);
      const { id: sub, email } = provider.ada;
      expect(await finished).toMatchObject({ sub, name: 'Ada', email });
    });

    if (does.refreshes)
      it('renews its tokens', async () => {
        expect(await page.evaluate(() => window.app.refresh())).toBe(true);
      });

    if (does.signsOut)
      it('ends the session, or leads to the page where the person confirms it', async () => {
        await page.evaluate(() => void window.app.logout());
        await page.waitForURL((url) => url.pathname === '/sign-out' || url.href === `${site}/`);
        await provider.signInAgain();
      });

    if (does.tells?.includes('refusal'))
      it('says that the person refused', async () => {
        provider.decision = 'deny';
        await signIn().finally(() => (provider.decision = 'approve'));
        await expect(page.evaluate(() => window.app.finish())).rejects.toThrow('The person refused');
      });

    if (does.tells?.includes('end'))
      it('says that the session has ended', async () => {
        await signIn();
        await page.evaluate(() => window.app.finish());
        await provider.app.post('logout', undefined, { token: provider.ada.token });
        await provider.signInAgain();
        const refreshed = page.evaluate(() => window.app.refresh());
        await expect(refreshed).rejects.toThrow('The refresh token is unknown, used, expired or revoked');
      });
  });

  it('posts the answer to an app that asks for it by form_post', async () => {
    const app = await provider.startApp('express-openid-connect-form-post.mjs', {});
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    try {
      const page = await context.newPage();
      await page.goto(`${app.site}/login`);
      await page.waitForURL((url) => url.origin === app.site);
      await page.goto(`${app.site}/me`);
      const { id: sub, email } = provider.ada;
      expect(JSON.parse(await page.innerText('body'))).toMatchObject({ sub, email });
    } finally {
      await context.close();
      await app.stop();
    }
  });
});
