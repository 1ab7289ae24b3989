import { type Browser, chromium, type Page, type Route } from 'playwright-core';
import { OidcStandIn } from '../../test/lab/oidc-stand-in.js';
import { freePort } from '../../test/support/built-service.js';
import { CHROMIUM, LIGHT } from '../../test/support/chromium.js';
import { TestTotp } from '../../test/support/factors.js';
import { Organization, Person } from '../../test/support/organization.js';
import { eventually, TestApp } from '../../test/support/test-app.js';
import { describeWith } from '../../test/support/tools.js';
import { PageServer } from './page-server.js';
import type { Harness } from './page/main.tsx';
import type { Scenario } from './page/scenarios.tsx';

/** Set by the page. */
declare const harness: Harness;

const PROBE = '**/api/auth/can';

/** Real React in strict mode, in a browser, with the real service. */
describeWith([CHROMIUM], 'Hooks of @gatehouse/react', () => {
  let lab: OidcStandIn;
  let site: PageServer;
  let app: TestApp;
  let ada: Person;
  let harbour: Organization;
  let depot: Organization;
  let browser: Browser;
  let tab: Page;
  /** Errors and warnings of the page, such as those of React. */
  let complaints: string[];

  beforeAll(async () => {
    lab = await OidcStandIn.start();
    site = await PageServer.start();
    const PORT = String(await freePort());
    app = await TestApp.start({
      ...lab.settings,
      EXTERNAL_BROWSER_BINDING: 'cookie',
      ALLOWED_ORIGINS: [site.url, local()].join(),
      PASSKEY_RP_ID: 'localhost',
      RETURN_URIS: site.url,
      PORT,
      PUBLIC_URL: `http://127.0.0.1:${PORT}`,
    });
    site.serviceUrl = app.url;
    ada = await Person.signUp(app);
    harbour = await Organization.found(app, ada);
    depot = await Organization.found(app, ada);
    await depot.call('POST', '/archive');
    browser = await chromium.launch({ executablePath: CHROMIUM, args: [...LIGHT] });
  });
  beforeEach(async () => {
    tab = await (await browser.newContext()).newPage();
    complaints = [];
    tab.on('console', (message) => {
      if (/error|warning/.test(message.type()) && !message.text().startsWith('Failed to load resource'))
        complaints.push(message.text());
    });
    tab.on('pageerror', (error) => complaints.push(String(error)));
    await open();
  });
  afterEach(async () => {
    await tab.context().close();
    expect(complaints).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await app.stop();
    await site.close();
    await lab.close();
  });

  /** The page at a name: passkeys do not belong to an IP address. */
  const local = () => site.url.replace('127.0.0.1', 'localhost');
  const ready = (page: Page) => page.waitForFunction(() => 'harness' in globalThis);
  const open = async (page = tab) => {
    await page.goto(site.url);
    await ready(page);
  };
  const show = (scenario: Scenario, page = tab) => page.evaluate((name) => harness.show(name), scenario);
  const unmount = () => tab.evaluate(() => harness.unmount());
  const login = ({ email, password }: Person = ada, page = tab) =>
    page.evaluate((credentials) => harness.client.login(credentials), { email, password });
  const select = ({ id }: Organization) => tab.evaluate((wanted) => harness.client.selectTenant(wanted), id);
  const session = async (page = tab) =>
    JSON.parse((await page.locator('#session').textContent()) ?? '') as Record<string, unknown>;
  const becomes = (expected: object, page = tab) =>
    eventually(`the session is ${JSON.stringify(expected)}`, async () => {
      const found = await session(page);
      return Object.entries(expected).every(([name, value]) => found[name] === value);
    });
  const actions = () => tab.locator('.action').allTextContents();
  const allBecome = (pattern: RegExp) =>
    eventually(`all buttons match ${pattern}`, async () => {
      const all = await actions();
      return all.length === 30 && all.every((line) => pattern.test(line));
    });
  const of = async (scope: string) => tab.locator(`.action[data-scope="${scope}"]`).first().textContent();
  const subjectOf = ({ id }: Organization) => `gatehouse:///iam/tenants/${id}`;
  /** Returns the subjects of the permission checks that were sent, and forgets them. */
  const takeProbes = () => tab.evaluate(() => harness.probes.splice(0).toSorted());
  const listeners = () => tab.evaluate(() => harness.client.listeners);

  describe('useSession', () => {
    it('follows the sign-in, the tenant and the sign-out, of any tab', async () => {
      await show('session');
      await becomes({ status: 'signed-out', reason: null });
      await login();
      await becomes({ status: 'signed-in', tenantId: null });
      await select(harbour);
      await becomes({ tenantId: harbour.id });
      const other = await tab.context().newPage();
      await open(other);
      await show('session', other);
      await becomes({ status: 'signed-in', tenantId: null }, other);
      await other.evaluate(() => harness.client.logout());
      await becomes({ status: 'signed-out', reason: 'logout', tenantId: null });
    });

    it('has the session and the tenant after a reload', async () => {
      await login();
      await select(harbour);
      await open();
      await show('session');
      await becomes({ status: 'signed-in', tenantId: harbour.id });
    });

    it('reports a session that the service has ended', async () => {
      await show('session');
      await login();
      await tab.evaluate(async () => {
        const token = await harness.client.accessToken();
        const { href } = new URL('/api/v1/iam/auth/logout', decodeURIComponent(document.cookie.slice(8)));
        await fetch(href, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
        await harness.client.get('/api/v1/iam/me').catch(() => undefined);
      });
      await becomes({ status: 'signed-out', reason: 'ended' });
    });

    it('starts as a server renders it, and hydrates without a difference', async () => {
      await login();
      const html = await tab.evaluate(() => harness.hydrate('protected'));
      expect(html).toContain('One moment');
      expect(html).not.toContain('Inside');
      await tab.getByRole('heading', { name: 'Inside' }).waitFor();
    });
  });

  describe('providers', () => {
    it('listen to the client while they are mounted, once in strict mode', async () => {
      await show('session');
      await becomes({ status: 'signed-out' });
      expect(await listeners()).toBe(3);
      await unmount();
      expect(await listeners()).toBe(0);
    });

    it('show what has changed while none was mounted', async () => {
      await login();
      await show('protected');
      await tab.getByRole('heading', { name: 'Inside' }).waitFor();
      await unmount();
      await tab.evaluate(() => harness.client.logout());
      const shown = await tab.evaluate(async () => {
        harness.show('protected');
        const seen: string[] = [];
        while (!document.querySelector('form')) {
          seen.push(document.body.innerText);
          await new Promise(requestAnimationFrame);
        }
        return seen.join();
      });
      expect(shown).not.toContain('Inside');
    });

    it('ignore the answer of the storage to a provider that is gone', async () => {
      await login();
      const shown = await tab.evaluate(async () => {
        harness.show('protected');
        while (harness.client.listeners === 0) await new Promise((done) => setTimeout(done));
        harness.unmount();
        await harness.client.isSignedIn(); // asked after the provider has
        harness.show('protected');
        while (!document.querySelector('#session')) await new Promise((done) => setTimeout(done));
        return document.querySelector('#session')?.textContent;
      });
      expect(shown).toContain('loading');
      await tab.getByRole('heading', { name: 'Inside' }).waitFor();
    });

    it('survive being unmounted and mounted before the storage answers', async () => {
      await login();
      await tab.evaluate(() => {
        for (let n = 0; n < 5; n += 1) {
          harness.show('protected');
          harness.unmount();
        }
        harness.show('protected');
      });
      await tab.getByRole('heading', { name: 'Inside' }).waitFor();
      expect(await listeners()).toBe(3);
    });

    it('do not let the answer of the storage replace a newer event', async () => {
      await tab.evaluate(
        (credentials) => {
          harness.show('session');
          return harness.client.login(credentials);
        },
        { email: ada.email, password: ada.password },
      );
      await becomes({ status: 'signed-in' });
    });
  });

  describe('useCan', () => {
    it('sends one check for each subject, however many components ask', async () => {
      await login();
      await select(harbour);
      await show('actions');
      await allBecome(/ decided /);
      expect(await takeProbes()).toEqual([subjectOf(harbour), null].toSorted());
      expect(await of('iam:tenant:archive')).toBe('iam:tenant:archive decided true  ');
      expect(await of('iam:tenant:restore')).toBe('iam:tenant:restore decided false state_forbids ');
    });

    it('sends none for components that mount again', async () => {
      await login();
      await select(harbour);
      await show('actions');
      await allBecome(/ decided /);
      await takeProbes();
      await tab.getByText('Toggle').click();
      await eventually('none is shown', async () => (await actions()).length === 0);
      await tab.getByText('Toggle').click();
      await allBecome(/ decided /);
      await unmount();
      await show('actions');
      await allBecome(/ decided /);
      expect(await takeProbes()).toEqual([]);
    });

    it('asks again for another tenant, and shows nothing of the first', async () => {
      await login();
      await select(harbour);
      await show('actions');
      await allBecome(/ decided /);
      await takeProbes();
      const held = await hold();
      await select(depot);
      await allBecome(/ loading false /);
      await held.release();
      await allBecome(/ decided /);
      expect(await takeProbes()).toEqual([subjectOf(depot), null].toSorted());
      expect(await of('iam:tenant:restore')).toContain('decided true');
    });

    it('ignores an answer for the tenant before', async () => {
      await login();
      await select(harbour);
      const held = await hold();
      await show('actions');
      await eventually('both checks are sent', () => held.routes.length === 2);
      await select(depot);
      await eventually('both checks are sent again', () => held.routes.length === 4);
      await held.release(2); // those of the second tenant first
      await allBecome(/ decided /);
      await held.release();
      await tab.evaluate(() => new Promise(requestAnimationFrame));
      expect(await of('iam:tenant:restore')).toContain('decided true');
      expect(await of('iam:invitation:create')).toContain('decided false'); // it is archived
    });

    it('asks again for another user, and not without one', async () => {
      await login();
      await show('actions');
      await allBecome(/ decided /);
      await takeProbes();
      await login(await Person.signUp(app));
      await eventually('the checks are sent', async () => (await takeProbes()).length > 0);
      await allBecome(/ decided /);
      await tab.evaluate(() => harness.client.logout());
      await allBecome(/ decided false /);
      await takeProbes();
      await tab.getByText('Refresh').click();
      await tab.getByText('Toggle').click();
      await tab.getByText('Toggle').click();
      await allBecome(/ decided false /);
      expect(await takeProbes()).toEqual([]);
    });

    it('denies after a failure, and asks again for the next component', async () => {
      await login();
      await select(harbour);
      await tab.route(PROBE, (route) => route.abort());
      await show('actions');
      await allBecome(/ failed false .*cannot be reached/);
      await tab.unroute(PROBE);
      await tab.getByText('Toggle').click();
      await tab.getByText('Toggle').click();
      await allBecome(/ decided /);
    });

    it('asks again when told, and keeps the answer until then', async () => {
      const own = await Organization.found(app, ada);
      await login();
      await select(own);
      await show('actions');
      await allBecome(/ decided /);
      await own.call('POST', '/archive');
      await takeProbes();
      const held = await hold();
      await tab.getByText('Refresh').click();
      await eventually('the checks are sent', () => held.routes.length === 2);
      expect(await of('iam:tenant:archive')).toContain('decided true');
      await held.release();
      await eventually('the answer is new', async () =>
        ((await of('iam:tenant:restore')) ?? '').includes('decided true'),
      );
      expect(await takeProbes()).toHaveLength(2);
    });

    it('survives an unmount before the answer', async () => {
      await login();
      await select(harbour);
      const held = await hold();
      await show('actions');
      await eventually('both checks are sent', () => held.routes.length === 2);
      await unmount();
      await held.release();
      await show('actions');
      await allBecome(/ decided /);
      expect(await takeProbes()).toHaveLength(2);
    });
  });

  describe('Protected', () => {
    it('shows its content while signed in, and mounts it again for another user', async () => {
      await show('protected');
      const form = tab.locator('form');
      await form.getByLabel('Email').fill(ada.email);
      await form.getByLabel('Password').fill('a-wrong-harbour-9');
      await form.getByText('Sign in').click();
      await eventually('the error is shown', async () => (await tab.locator('#error').textContent()) !== '');
      await form.getByLabel('Password').fill(ada.password);
      await form.getByText('Sign in').click();
      await tab.getByRole('heading', { name: 'Inside' }).waitFor();
      await tab.getByLabel('Draft').fill('of Ada');
      const other = await tab.context().newPage();
      await open(other);
      await login(await Person.signUp(app), other);
      await eventually('the draft is gone', async () => (await tab.getByLabel('Draft').inputValue()) === '');
      await tab.getByText('Sign out').click();
      await form.waitFor();
    });

    it('asks for a second factor between password and session', async () => {
      const person = await Person.signUp(app);
      const totp = await TestTotp.enrol(app, person.token);
      await show('protected');
      const form = tab.locator('form');
      const factor = (expected: string) =>
        eventually(`the factor is ${expected}`, async () => {
          return (await tab.locator('#factor').textContent()) === `${expected}|`;
        });
      const enter = async () => {
        await form.getByLabel('Email').fill(person.email);
        await form.getByLabel('Password').fill(person.password);
        await form.getByText('Sign in').click();
        await factor('totp recovery_code');
      };
      const confirm = async (code: string) => {
        await form.getByLabel('Code').fill(code);
        await form.getByText('Confirm').click();
      };
      await enter();
      expect(await tab.locator('#error').textContent()).toBe(''); // it is not a failure
      await form.getByText('Start over').click();
      await factor('');
      await enter();
      await confirm('000000');
      await eventually('the error is shown', async () => (await tab.locator('#error').textContent()) !== '');
      await factor('totp recovery_code');
      await app.sql("UPDATE sign_in_challenges SET expires_at = now() - interval '1 second'");
      await confirm('000001');
      await factor(''); // the challenge is void: the form asks for the password again
      await enter();
      await confirm(totp.next());
      await tab.getByRole('heading', { name: 'Inside' }).waitFor();
    });

    it('shows what requires a permission to those who hold it', async () => {
      await login();
      await show('permitted');
      await tab.locator('#denied', { hasText: 'tenant_required' }).waitFor();
      await select(harbour);
      await tab.getByRole('heading', { name: 'Invite' }).waitFor();
      await tab.locator('#never').waitFor();
    });
  });

  it('sign in by a passkey, alone and after a password, and trust the device', async () => {
    const person = await Person.signUp(app);
    const cdp = await tab.context().newCDPSession(tab);
    await cdp.send('WebAuthn.enable');
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await tab.goto(local());
    await ready(tab);
    await login(person);
    await tab.evaluate(() => harness.addPasskey());
    const signOut = () => tab.evaluate(() => harness.client.logout());
    await show('form');
    await signOut();
    await becomes({ status: 'signed-out' });
    await tab.getByText('Passkey', { exact: true }).click();
    await becomes({ status: 'signed-in' });
    await signOut();
    await tab.getByLabel('Email').fill(person.email);
    await tab.getByLabel('Password').fill(person.password);
    await tab.getByText('Sign in').click();
    await tab.locator('#factor', { hasText: 'passkey recovery_code|' }).waitFor();
    await tab.getByText('Passkey too').click();
    await becomes({ status: 'signed-in' });
    const [methods, deviceToken = ''] = ((await tab.locator('#factor').textContent()) ?? '').split('|');
    expect(methods).toBe('');
    await signOut();
    const { email, password } = person;
    const { sessionId } = await tab.evaluate(
      async (credentials) => {
        await harness.client.login(credentials);
        return { sessionId: harness.client.sessionId };
      },
      { email, password, deviceToken },
    );
    expect(sessionId).toEqual(expect.any(String));
  });

  it('continue an external sign-in that needs a second factor', async () => {
    const { person } = lab; // of the other tests
    lab.person = { sub: `react-${Date.now()}`, email: `react-${Date.now()}@example.com` };
    const signIn = async () => {
      await tab.goto(site.url);
      await ready(tab);
      await show('form');
      const departure = tab.waitForRequest((request) => request.url().startsWith(lab.issuer));
      await tab.getByText('Provider').click();
      const { pathname, search } = lab.visit((await departure).url());
      await tab.goto(`${app.url}${pathname}${search}`);
      await ready(tab);
      await show('return');
    };
    await tab.route(`${lab.issuer}/**`, (route) => route.fulfill({ status: 204 }));
    await signIn();
    await tab.locator('#completion', { hasText: 'done' }).waitFor();
    const totp = await TestTotp.enrol(app, await tab.evaluate(() => harness.client.accessToken()));
    await tab.evaluate(() => harness.client.logout());
    await signIn();
    await tab.locator('#factor', { hasText: 'totp recovery_code|' }).waitFor();
    await tab.getByLabel('Code').fill('000000');
    await tab.getByText('Confirm').click();
    await eventually('the error is shown', async () => (await tab.locator('#error').textContent()) !== '');
    await tab.getByLabel('Code').fill(totp.next());
    await tab.getByText('Confirm').click();
    await tab.locator('section').waitFor(); // signed in
    lab.person = person;
  });

  it('complete an external sign-in once, in strict mode and mounted again', async () => {
    await show('protected');
    const departure = tab.waitForRequest((request) => request.url().startsWith(lab.issuer));
    await tab.route(`${lab.issuer}/**`, (route) => route.fulfill({ status: 204 }));
    await tab.getByText('Provider').click();
    const { pathname, search } = lab.visit((await departure).url());
    const redeemed: string[] = [];
    tab.on('request', (request) => {
      if (request.url().endsWith('/external/token') && request.method() === 'POST')
        redeemed.push(request.url());
    });
    await tab.goto(`${app.url}${pathname}${search}`);
    await ready(tab);
    await show('return');
    await tab.locator('section #completion', { hasText: 'done {"signedIn":true}' }).waitFor();
    expect(redeemed).toHaveLength(1);
    expect(tab.url()).not.toContain('#');
    await unmount();
    await show('return');
    await tab.locator('#completion', { hasText: 'done' }).waitFor();
  });

  it('report an external sign-in that this tab has not started', async () => {
    await show('return');
    await tab.locator('#completion', { hasText: 'failed null This sign-in was not started here' }).waitFor();
  });

  describe('hosted sign-in', () => {
    /** Signs in at the service, and shows the page to which it returns. */
    const signInThere = async (scenario: Scenario) => {
      await tab.waitForURL(`${app.url}/sign-in?**`);
      await tab.getByLabel('Email address').fill(ada.email);
      await tab.getByLabel('Password', { exact: true }).fill(ada.password);
      await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
      await tab.waitForURL(`${site.url}/**`);
      await ready(tab);
      await show(scenario);
    };

    it('leads to the page again, with menu and switch', async () => {
      await show('page');
      await signInThere('page');
      await tab.getByRole('heading', { name: 'Inside' }).waitFor();
      expect(tab.url()).not.toContain('code=');
      const choice = tab.getByLabel('Organization');
      for (const id of ['', harbour.id, depot.id])
        await choice.locator(`option[value="${id}"]`).waitFor({ state: 'attached' });
      await choice.selectOption(harbour.id);
      await tab.locator('#profile', { hasText: 'Lovelace Logistics' }).waitFor();
      expect(await tab.evaluate(() => harness.client.tenantId)).toBe(harbour.id);
      await tab.getByText('Ada', { exact: true }).click();
      await tab.getByText(ada.email, { exact: true }).waitFor();
      await tab.getByRole('link', { name: 'Settings' }).waitFor();
      await tab.getByRole('button', { name: 'Sign out' }).click();
      await tab.waitForURL(`${app.url}/sign-in?**`);
    });

    it('says why a code is refused, and lets the user try again', async () => {
      await tab.goto(`${site.url}/#code=x&state=unknown`);
      await tab.reload(); // only the fragment has changed
      await ready(tab);
      await show('page');
      await tab.getByRole('alert').filter({ hasText: 'was not started' }).waitFor();
      await tab.getByRole('button', { name: 'Try again' }).click();
      await tab.waitForURL(`${app.url}/sign-in?**`);
      expect(new URL(tab.url()).searchParams.get('return_to')).toBe(`${site.url}/`);
    });

    it('starts by a button, with the strength that it asks for', async () => {
      await show('button');
      await tab.getByRole('button', { name: 'Sign in' }).click();
      await tab.waitForURL(`${app.url}/sign-in?**`);
      expect(Object.fromEntries(new URL(tab.url()).searchParams)).toMatchObject({
        return_to: `${site.url}/`,
        acr: 'aal2',
        max_age: '300',
      });
    });
  });

  describe('useUser and useOrganizations', () => {
    const profile = (text: string) => tab.locator('#profile', { hasText: text }).waitFor();
    const ME = '**/api/v1/iam/me';

    it('read once for each session, and show nothing of the user before', async () => {
      const reads: string[] = [];
      tab.on('request', (request) => {
        if (request.method() === 'GET' && /\/me(\/tenants)?$/.test(new URL(request.url()).pathname))
          reads.push(new URL(request.url()).pathname);
      });
      await show('profile');
      await profile('signed-out');
      await login();
      await profile(`ready ${ada.email} `);
      await unmount();
      await show('profile');
      await profile(`ready ${ada.email} `);
      expect(reads.toSorted()).toEqual(['/api/v1/iam/me', '/api/v1/iam/me/tenants']);
      const grace = await Person.signUp(app);
      await login(grace);
      await profile(`ready ${grace.email} 0`);
    });

    it('report a failure, and read again', async () => {
      await login();
      await tab.route(ME, (route) => route.abort());
      await show('profile');
      await profile('failed');
      await tab.unroute(ME);
      await tab.getByText('Read again').click();
      await profile(`ready ${ada.email} `);
    });

    it('ignore an answer that a later one has overtaken', async () => {
      await login();
      await show('profile');
      await profile(`ready ${ada.email} `);
      const held: Route[] = [];
      await tab.route(ME, (route) =>
        route.request().method() === 'GET' ? held.push(route) : route.continue(),
      );
      for (const count of [1, 2]) {
        await tab.getByText('Read again').click();
        await eventually('the user is read', () => held.length === count);
      }
      const headers = { 'access-control-allow-origin': site.url };
      const answer = (route: Route | undefined, email: string) =>
        Promise.all([
          tab.waitForResponse((response) => response.request() === route?.request()),
          route?.fulfill({ headers, json: { email } }),
        ]);
      await answer(held[1], 'new@example.com');
      await profile('ready new@example.com');
      await answer(held[0], 'old@example.com');
      await tab.evaluate(() => new Promise((done) => setTimeout(done, 50)));
      await profile('ready new@example.com');
    });
  });

  /** Holds the permission checks back, in the order in which they are sent. */
  async function hold(): Promise<{ routes: Route[]; release: (from?: number) => Promise<void> }> {
    const routes: Route[] = [];
    await tab.route(PROBE, (route) => {
      if (route.request().method() === 'POST') routes.push(route);
      else void route.continue();
    });
    const release = async (from = 0) => {
      await Promise.all(routes.splice(from).map((route) => route.continue()));
      if (from === 0) await tab.unroute(PROBE);
    };
    return { routes, release };
  }
});
