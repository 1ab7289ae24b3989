import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Browser, FULL_CHROMIUM } from '../../support/chromium.js';
import { SatelliteDemo } from '../../support/satellite-demo.js';
import { describeWith } from '../../support/tools.js';

/** Tests `npm run demo:satellite -- --app`: two sites that share nothing in the browser. */
describeWith([FULL_CHROMIUM], 'The help centre in a browser', () => {
  let demo: SatelliteDemo;
  let browser: Browser;
  let thief: Browser | undefined;
  beforeAll(async () => {
    demo = await SatelliteDemo.start('--app');
  });
  beforeEach(async () => {
    browser = await Browser.open(FULL_CHROMIUM);
  });
  afterEach(async () => {
    await browser.close();
    await thief?.close();
    thief = undefined;
  });
  afterAll(async () => {
    const { shop, helpCentre } = demo;
    expect(await demo.interrupt()).toBe(0);
    await expect(fetch(shop)).rejects.toThrow();
    await expect(fetch(helpCentre)).rejects.toThrow();
  });

  const signInAtShop = async ({ page } = browser, { email, password } = demo.person) => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  /** @returns address that the shop redirects the browser to after a sign-in for the help centre */
  const authorized = async () => {
    await browser.page.goto(demo.shop);
    await signInAtShop();
    return browser.redirectOf(await browser.redirectOf(`${demo.helpCentre}/sign-in`));
  };

  it('refuses third-party cookies, or the rest would prove less', async () => {
    const sites = await twoSites();
    const { page } = browser;
    await page.goto(`${sites.one}/set`);
    await page.goto(`${sites.one}/read`);
    const first = await page.innerText('body');
    await page.goto(`${sites.other}/frame`);
    const third = await page.frameLocator('iframe').locator('body').innerText();
    await sites.close();
    expect([first, third]).toEqual(['known=yes', 'nothing']);
  });

  it('greets by name who is signed in at the shop, until they log out there', async () => {
    const { page } = browser;
    await page.goto(demo.shop);
    await browser.show('1-shop-sign-in');
    await signInAtShop(browser, { ...demo.person, password: 'something else' });
    expect(await page.getByRole('alert').innerText()).toContain('is wrong');
    await browser.show('2-shop-wrong-password');
    await signInAtShop();
    expect(await browser.heading()).toBe('Good to see you, Ada');
    await browser.show('3-shop');

    await page.goto(demo.helpCentre);
    expect(await page.innerText('main')).toContain('You are not signed in');
    await browser.show('4-help-centre');
    await browser.press('Sign in with Quayside');
    expect(await browser.heading()).toBe('Hello Ada, how can we help?');
    expect(page.url()).toBe(`${demo.helpCentre}/`);
    await browser.show('5-help-centre-signed-in');

    await page.goto(demo.shop);
    await browser.press('Log out');
    expect(await browser.heading()).toBe('Sign in');
    await page.goto(demo.helpCentre);
    expect(await page.innerText('main')).toContain('You are not signed in');
  });

  it('signs in a person who signs in at the shop first, and signs them out everywhere', async () => {
    const { page } = browser;
    await page.goto(demo.helpCentre);
    await browser.press('Sign in with Quayside');
    expect(new URL(page.url()).origin).toBe(demo.shop);
    await browser.show('6-shop-on-the-way');
    await signInAtShop();
    expect(await browser.heading()).toBe('Hello Ada, how can we help?');
    await browser.press('Sign out everywhere');
    expect(await page.innerText('main')).toContain('You are not signed in');
    await page.goto(demo.shop);
    expect(await browser.heading()).toBe('Sign in');
  });

  it('makes nothing of a stolen address, and its owner comes to no harm', async () => {
    const back = await authorized();
    thief = await Browser.open(FULL_CHROMIUM);
    await thief.page.goto(back);
    expect(await thief.heading()).toBe('This sign-in was not started here');
    await thief.show('7-stolen-code');
    await browser.page.goto(back);
    expect(await browser.heading()).toBe('Hello Ada, how can we help?');
    for (const { page } of [thief, browser]) await page.goto(back);
    expect([await thief.heading(), await browser.heading()]).toEqual(
      Array(2).fill('This sign-in was not started here'),
    );
    await browser.page.goto(demo.helpCentre);
    expect(await browser.heading()).toBe('Hello Ada, how can we help?');
  });

  it('makes nothing of a stolen code under the thief’s own state, and the code is spent', async () => {
    const back = await authorized();
    thief = await Browser.open(FULL_CHROMIUM);
    const other = new URL(await thief.redirectOf(`${demo.helpCentre}/sign-in`));
    const injected = new URL(back);
    injected.searchParams.set('state', other.searchParams.get('state') ?? '');
    await thief.page.goto(injected.href);
    await browser.page.goto(back);
    expect([await thief.heading(), await browser.heading()]).toEqual(
      Array(2).fill('The sign-in has expired'),
    );
    await thief.show('8-code-refused');
  });

  it('is the only place that the shop hands visitors over to', async () => {
    const forged = new URL(await browser.redirectOf(`${demo.helpCentre}/sign-in`));
    forged.searchParams.set('redirectUri', 'http://127.0.0.1:1/callback');
    await browser.page.goto(demo.shop);
    await signInAtShop();
    await browser.page.goto(forged.href);
    expect(await browser.heading()).toBe('Unknown application');
    await browser.show('9-unknown-place');
  });
});

/**
 * One host that sets a cookie and shows the one it got, and another host with the first in a frame.
 */
async function twoSites(): Promise<{ one: string; other: string; close: () => Promise<void> }> {
  const server: Server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    response.setHeader('content-type', 'text/html');
    if (request.url === '/set') response.setHeader('set-cookie', 'known=yes; SameSite=None; Secure');
    if (request.url === '/frame') response.end(`<iframe src="http://127.0.0.1:${port}/read"></iframe>`);
    else response.end(request.headers.cookie ?? 'nothing');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { one: `http://127.0.0.1:${port}`, other: `http://localhost:${port}`, close };
}
