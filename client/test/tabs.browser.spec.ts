import type { Page } from 'playwright-core';
import { OidcStandIn } from '../../test/lab/oidc-stand-in.js';
import { Browser, CHROMIUM } from '../../test/support/chromium.js';
import { Organization, Person } from '../../test/support/organization.js';
import { eventually, TestApp } from '../../test/support/test-app.js';
import { describeWith } from '../../test/support/tools.js';
import type { Gatehouse } from '../src/index.js';
import { TabPage } from './tab-page.js';

/** Set by the page. */
declare const client: Gatehouse;
declare const heard: [string, unknown][];

const REFRESH = '**/api/v1/iam/auth/refresh';

describeWith([CHROMIUM], 'Tabs of one browser', () => {
  let lab: OidcStandIn;
  let site: TabPage;
  let app: TestApp;
  let ada: Person;
  let browser: Browser;
  let open: Page[];

  beforeAll(async () => {
    lab = await OidcStandIn.start();
    site = await TabPage.start();
    app = await TestApp.start({
      ...lab.settings,
      EXTERNAL_BROWSER_BINDING: 'cookie',
      ACCESS_TOKEN_TTL: '1',
      ALLOWED_ORIGINS: site.url,
      RETURN_URIS: site.url,
    });
    site.serviceUrl = app.url;
    ada = await Person.signUp(app);
  });
  beforeEach(async () => {
    browser = await Browser.open();
    open = [];
  });
  afterEach(() => browser.close());
  afterAll(async () => {
    await app.stop();
    await site.close();
    await lab.close();
  });

  const tabs = async (count: number): Promise<Page[]> => {
    for (let n = 0; n < count; n += 1) {
      const tab = await browser.page.context().newPage();
      await tab.goto(site.url);
      await tab.waitForFunction(() => 'client' in globalThis);
      open.push(tab);
    }
    return open.slice(-count);
  };
  const login = (tab: Page, { email, password }: Person = ada) =>
    tab.evaluate((credentials) => client.login(credentials), { email, password });
  const who = (tab: Page) => tab.evaluate(async () => (await client.get('/api/v1/iam/me')).data.id);
  const events = (tab: Page, name: string) =>
    tab.evaluate((wanted) => heard.filter(([what]) => what === wanted).map(([, event]) => event), name);
  const allHear = (name: string, listening: Page[]) =>
    eventually(`all tabs receive ${name}`, async () =>
      (await Promise.all(listening.map((tab) => events(tab, name)))).every((all) => all.length > 0),
    );

  it('stay signed in if ten refresh at once', async () => {
    const all = await tabs(10);
    await login(all[0]!);
    for (let round = 0; round < 5; round += 1) {
      expect(new Set(await Promise.all(all.map(who)))).toEqual(new Set([ada.id]));
      await browser.page.waitForTimeout(1_000); // a token lives for one
    }
    for (const tab of all) expect(await events(tab, 'signed-out')).toEqual([]);
  });

  it('are signed in if opened later, and after a reload', async () => {
    const [first] = await tabs(1);
    await login(first!);
    const [later] = await tabs(1);
    expect(await who(later!)).toBe(ada.id);
    await later!.reload();
    await later!.waitForFunction(() => 'client' in globalThis);
    expect(await who(later!)).toBe(ada.id);
  });

  it('are all signed out after one of them is', async () => {
    const all = await tabs(3);
    await login(all[0]!);
    await Promise.all(all.map(who));
    await all[1]!.evaluate(() => client.logout());
    await allHear('signed-out', all);
    for (const tab of all) {
      expect(await events(tab, 'signed-out')).toEqual([{ reason: 'logout' }]);
      expect(await tab.evaluate(() => client.isSignedIn())).toBe(false);
      await expect(who(tab)).rejects.toThrow('You are not signed in.');
    }
  });

  it('receive that another user has signed in', async () => {
    const [one, other] = await tabs(2);
    await login(one!);
    await who(other!);
    const grace = await Person.signUp(app);
    await login(one!, grace);
    await allHear('signed-in', [other!]);
    expect(await who(other!)).toBe(grace.id);
  });

  it('select a tenant each', async () => {
    const pair = await tabs(2);
    const person = await Person.signUp(app);
    const organizations = [await Organization.found(app, person), await Organization.found(app, person)];
    await login(pair[0]!, person);
    const select = (tab: Page, id: string) => tab.evaluate((wanted) => client.selectTenant(wanted), id);
    await Promise.all(pair.map((tab, n) => select(tab, organizations[n]!.id)));
    const read = (tab: Page, id: string) =>
      tab.evaluate(
        async (tenant) =>
          (await client.get('/api/v1/iam/tenants/{id}', { params: { path: { id: tenant } } })).data.id,
        id,
      );
    for (let round = 0; round < 3; round += 1) {
      await pair[0]!.waitForTimeout(1_000);
      const ids = await Promise.all(pair.map((tab, n) => read(tab, organizations[n]!.id)));
      expect(ids).toEqual(organizations.map(({ id }) => id));
    }
  });

  it('keep their tenants over a reload, until the session ends', async () => {
    const pair = await tabs(2);
    const person = await Person.signUp(app);
    const organizations = [await Organization.found(app, person), await Organization.found(app, person)];
    await login(pair[0]!, person);
    for (const [n, tab] of pair.entries())
      await tab.evaluate((id) => client.selectTenant(id), organizations[n]!.id);
    const tenants = () =>
      Promise.all(
        pair.map(async (tab) => {
          await tab.reload();
          await tab.waitForFunction(() => 'client' in globalThis);
          await tab.evaluate(() => client.isSignedIn());
          return tab.evaluate(() => client.tenantId);
        }),
      );
    expect(await tenants()).toEqual(organizations.map(({ id }) => id));
    await pair[0]!.evaluate(() => client.logout());
    await allHear('signed-out', pair);
    await login(pair[0]!);
    expect(await tenants()).toEqual([null, null]);
  });

  it('do not wait for a tab that was closed during its refresh', async () => {
    const [one, other] = await tabs(2);
    await login(one!);
    await one!.waitForTimeout(1_000);
    await one!.route(REFRESH, () => undefined);
    const asked = one!.waitForRequest(REFRESH);
    const lost = who(one!).catch(() => 'lost');
    await asked;
    const waiting = who(other!);
    await one!.close();
    expect([await waiting, await lost]).toEqual([ada.id, 'lost']);
  });

  it('sign in externally, and remove the fragment from the address', async () => {
    const [tab] = await tabs(1);
    const returnUri = `${site.url}/signed-in?from=here`;
    const provider = await tab!.evaluate(
      (uri) => client.startExternalSignIn('oidc', { returnUri: uri }),
      returnUri,
    );
    const { pathname, search } = lab.visit(provider);
    await tab!.goto(`${app.url}${pathname}${search}`);
    await tab!.waitForFunction(() => 'client' in globalThis);
    expect(tab!.url()).toMatch(/^.*\/signed-in\?from=here#code=/);
    expect(await tab!.evaluate(() => client.completeExternalSignIn())).toEqual({ signedIn: true });
    expect(tab!.url()).toBe(returnUri);
    await who(tab!);
  });
});
