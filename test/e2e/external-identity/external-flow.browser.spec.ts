import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { BuiltService, freePort } from '../../support/built-service.js';
import { Browser, CHROMIUM } from '../../support/chromium.js';
import { describeWith } from '../../support/tools.js';

/**
 * Tests what a real browser does with the cookie. The app and the service are of one site
 * (127.0.0.1, two ports); the identity provider is of another one (localhost) and posts its form
 * cross-site.
 */
describeWith([CHROMIUM], 'A sign-in by SAML that is bound to its browser, in a browser', () => {
  const lab = new SamlStandIn();
  const servers: Server[] = [];
  let appUrl: string;
  let service: BuiltService;
  let browser: Browser;
  let thief: Browser | undefined;
  beforeAll(async () => {
    appUrl = `http://127.0.0.1:${await serve((_, response) => response.end('<h1>The app</h1>'))}`;
    const provider = await serve((request, response) => {
      const form = lab.answer(`http://localhost${request.url}`, 'ada');
      response.setHeader('content-type', 'text/html').end(posting(`${service.url}${CALLBACK}`, form));
    });
    const PORT = String(await freePort());
    service = await BuiltService.start({
      ...lab.settings,
      EXTERNAL_SAML_ENTRY_POINT: `http://localhost:${provider}/sso`,
      EXTERNAL_BROWSER_BINDING: 'cookie',
      PORT,
      PUBLIC_URL: `http://127.0.0.1:${PORT}`,
      APP_URL: appUrl,
    });
  });
  beforeEach(async () => {
    browser = await Browser.open();
  });
  afterEach(async () => {
    await browser.close();
    await thief?.close();
    thief = undefined;
  });
  afterAll(async () => {
    expect(await service.stop()).toBe(0);
    for (const server of servers) server.close();
  });

  /** As the app's page does when "Sign in" is pressed. */
  const begin = async ({ page } = browser): Promise<string> => {
    await page.goto(appUrl);
    return page.evaluate(async (start) => {
      const answer = await fetch(start, { method: 'POST', credentials: 'include' });
      return ((await answer.json()) as { authorizationUrl: string }).authorizationUrl;
    }, `${service.url}/api/iam/auth/external/saml/start`);
  };

  it('comes back with tokens, over a form that carried no cookie', async () => {
    const posted = browser.page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith(CALLBACK),
    );
    await browser.page.goto(await begin());
    await browser.page.waitForURL(/#access_token=/);
    expect((await (await posted).allHeaders())['cookie']).toBeUndefined();
    expect(await browser.heading()).toBe('The app');
  });

  it('does not return to a browser that only received the address', async () => {
    const address = await begin();
    thief = await Browser.open();
    await begin(thief);
    await thief.page.goto(address);
    await thief.page.waitForURL(/callback\?form=/);
    expect(await thief.page.innerText('body')).toContain('was started in another browser');
    await browser.page.goto(address);
    await browser.page.waitForURL(/#access_token=/);
  });

  async function serve(listener: RequestListener): Promise<number> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }
});

const CALLBACK = '/api/iam/auth/external/saml/callback';

/** The page of an identity provider that brings the answer (SAML Bindings 3.5.4). */
function posting(action: string, form: Record<string, string>): string {
  const fields = Object.entries(form).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
  );
  return `<form method="post" action="${action}">${fields.join('')}</form><script>document.forms[0].submit()</script>`;
}
