import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser } from 'playwright-core';
import { requestPage } from '../../../src/external-identity/providers/saml/saml-request-pages.js';
import { formPagePolicy } from '../../../src/platform/web/index.js';
import { CHROMIUM, LIGHT } from '../../support/chromium.js';
import { describeWith } from '../../support/tools.js';

/** Tests what a real browser does with the page and its policy: other hosts are other ports. */
describeWith([CHROMIUM], 'The page that posts a SAML request, in a browser', () => {
  const received: string[] = [];
  const servers: Server[] = [];
  let browser: Browser;
  let address: string;
  let redirectTo: string | null;
  const listen = async (server: Server) => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  beforeAll(async () => {
    const provider = await listen(
      createServer((request, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += chunk.toString()));
        request.on('end', () => {
          received.push(`${request.method ?? ''} ${body}`);
          if (redirectTo === null) response.setHeader('content-type', 'text/html').end('<h1>Provider</h1>');
          else response.writeHead(303, { location: redirectTo }).end();
        });
      }),
    );
    const form = { action: `${provider}/sso`, fields: { SAMLRequest: 'PHNhbWw+', RelayState: '"><b>&' } };
    address = await listen(
      createServer((_, response) => {
        response.setHeader('content-type', 'text/html; charset=utf-8');
        response.setHeader('content-security-policy', formPagePolicy(form.action, null));
        response.end(requestPage(form, 'en', null));
      }),
    );
    browser = await chromium.launch({ executablePath: CHROMIUM, args: [...LIGHT] });
  });
  beforeEach(() => {
    received.length = 0;
    redirectTo = null;
  });
  afterAll(async () => {
    await browser.close();
    for (const server of servers) server.close();
  });
  const POSTED = `POST ${new URLSearchParams({ SAMLRequest: 'PHNhbWw+', RelayState: '"><b>&' }).toString()}`;

  it('posts the form at once', async () => {
    const page = await browser.newPage();
    await page.goto(address);
    await page.getByRole('heading', { name: 'Provider' }).waitFor();
    expect(received).toContain(POSTED);
  });

  it('posts it by a button without scripts', async () => {
    const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await page.goto(address);
    expect(received).toEqual([]);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Provider' }).waitFor();
    expect(received).toContain(POSTED);
  });

  it('lets the provider redirect to a sign-in page on another host', async () => {
    redirectTo = 'https://login.invalid/sign-in';
    const page = await browser.newPage();
    const failed = page.waitForEvent('requestfailed', (request) => request.url() === redirectTo);
    await page.goto(address).catch(() => undefined); // no such host
    expect((await failed).failure()?.errorText).toBe('net::ERR_NAME_NOT_RESOLVED');
  });
});
