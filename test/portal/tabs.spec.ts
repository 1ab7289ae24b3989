import { Client } from 'pg';
import type { Route } from 'playwright-core';
import { CHROMIUM } from '../support/chromium.js';
import { roundsOf } from '../support/long.js';
import { Organization, Person } from '../support/organization.js';
import { withPortal, type Visitor } from '../support/portal.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

jest.setTimeout(60_000); // many tabs on a busy machine

const TABS = roundsOf({ short: 4, long: 10 });

/** The default: a shorter lifetime could end on a busy machine before the token is used. */
const TOKEN_LIFE_MS = 600_000;
const REFRESH = '/api/v1/iam/auth/portal/session';
/** Connections that Chromium opens to a host by HTTP/1.1. Further requests wait in the browser. */
const CONNECTIONS_PER_HOST = 6;
const AT_ONCE = Math.min(TABS, CONNECTIONS_PER_HOST);

/** Several tabs of one browser share its sign-in, and nothing of it is in reach of a script. */
describeWith([CHROMIUM], 'Tabs at the portal', () => {
  let ada: Person;
  const { app, portal } = withPortal();
  beforeAll(async () => {
    ada = await Person.signUp(app);
  });

  const signedIn = async (person = ada): Promise<Visitor> => {
    const visitor = await portal.visitor();
    await visitor.goto('/');
    await visitor.signIn(person);
    await visitor.sees('Organizations');
    return visitor;
  };
  /** Opens tabs, each with a token. */
  const openTabs = async (first: Visitor): Promise<Visitor[]> => {
    const tabs = [first];
    while (tabs.length < TABS) tabs.push(await first.tab());
    await Promise.all(tabs.map((tab) => tab.goto('/account')));
    await Promise.all(tabs.map((tab) => tab.sees('Profile')));
    return tabs;
  };
  let ahead = 0;
  /** Moves the clocks of their pages past the expiry of every token that they hold. */
  const growOld = (tabs: readonly Visitor[]) => {
    ahead += TOKEN_LIFE_MS;
    return Promise.all(tabs.map(({ page }) => page.clock.setSystemTime(Date.now() + ahead)));
  };
  const refreshesOf = (tabs: readonly Visitor[]): string[] => {
    const asked: string[] = [];
    for (const { page } of tabs)
      page.on('response', (response) => {
        if (response.url().endsWith(REFRESH)) asked.push(String(response.status()));
      });
    return asked;
  };
  const reuses = async (): Promise<number> => {
    const sql =
      "SELECT count(*)::int AS count FROM audit_events WHERE action = 'session.refresh-token-reused'";
    return (await app.sql<{ count: number }>(sql))[0]?.count ?? -1;
  };

  it('refresh once for all of them, and stay signed in', async () => {
    const tabs = await openTabs(await signedIn());
    const asked = refreshesOf(tabs);
    await growOld(tabs);
    await Promise.all(tabs.map((tab) => tab.press('Sessions')));
    await Promise.all(tabs.map((tab) => tab.reads('This device')));
    expect(new Set(asked)).toEqual(new Set(['200']));
    expect(asked.length).toBeLessThan(TABS);
    expect(await reuses()).toBe(0);
  });

  /**
   * Presses a link in every tab and makes their refreshes concurrent: none leaves the browser
   * before all tabs have sent one, and the service answers none before it has as many as a browser
   * sends at once. Otherwise a slow machine answers the first before the last is sent, which is no
   * race.
   */
  const refreshTogether = async (tabs: readonly Visitor[], link: string): Promise<void> => {
    const held: Route[] = [];
    const answered = tabs.map(({ page }) => page.waitForResponse(`**${REFRESH}`));
    await Promise.all(
      tabs.map(({ page }) => page.route(`**${REFRESH}`, (route) => void held.push(route), { times: 1 })),
    );
    await Promise.all(tabs.map((tab) => tab.press(link)));
    await eventually('every tab asks', () => held.length === tabs.length);
    const holder = new Client({ connectionString: app.databaseUrl });
    await holder.connect();
    await holder.query('BEGIN; SELECT 1 FROM grants FOR UPDATE');
    await Promise.all(held.map((route) => route.continue()));
    await eventually('they wait', async () => (await app.waitingForLocks()) === AT_ONCE);
    await holder.query('COMMIT');
    await holder.end();
    expect((await Promise.all(answered)).map((response) => response.status())).toEqual(tabs.map(() => 200));
  };

  it('stay signed in without browser locks: the service gives all of them the same successor', async () => {
    const first = await signedIn();
    await first.page
      .context()
      .addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }));
    const tabs: Visitor[] = [];
    while (tabs.length < TABS) {
      const tab = await first.tab();
      await tab.goto('/account');
      await tab.page.getByRole('button', { name: 'Save', exact: true }).waitFor(); // the profile has come
      tabs.push(tab);
    }
    for (const page of ['Sessions', 'Sign-in methods', 'Sessions']) {
      await growOld(tabs);
      await refreshTogether(tabs, page);
      await Promise.all(tabs.map((tab) => tab.sees(page)));
    }
    await Promise.all(tabs.map((tab) => tab.reads('This device')));
    expect(await reuses()).toBe(0);
  });

  it('stay signed in while the service is unreachable, and say so', async () => {
    const visitor = await signedIn();
    await visitor.goto('/account');
    await visitor.page.getByRole('button', { name: 'Save', exact: true }).waitFor(); // the profile has come
    await growOld([visitor]);
    await visitor.page.context().setOffline(true);
    await visitor.press('Save');
    await visitor.page.context().setOffline(false);
    await visitor.reads('Profile saved.');
    expect(new URL(visitor.page.url()).pathname).toBe('/account');
  });

  it('are signed in by a retry after the answer with their cookies was lost', async () => {
    const visitor = await portal.visitor();
    await visitor.goto('/');
    let lost = 0;
    const lose = async (route: Route): Promise<void> => {
      const request = route.request();
      const headers = await request.allHeaders();
      // Not by the browser, which would keep the cookies.
      const { status } = await fetch(request.url(), { method: 'POST', headers, body: request.postData() });
      expect(status).toBe(200);
      lost += 1;
      await route.abort('connectionreset');
    };
    await visitor.page.route(`**${REFRESH}`, lose, { times: 1 });
    await visitor.signIn(ada);
    await visitor.sees('Organizations');
    expect(lost).toBe(1);
    expect(await reuses()).toBe(0);
  });

  it('work in an organization each', async () => {
    const person = await Person.signUp(app);
    const [one, other] = [await Organization.found(app, person), await Organization.found(app, person)];
    const guest = await other.join('member');
    const first = await signedIn(person);
    const second = await first.tab();
    await first.goto(`/organizations/${one.id}/members`);
    await second.goto(`/organizations/${other.id}/members`);
    const names = (tab: Visitor) =>
      tab.page.getByRole('table', { name: 'Members' }).locator('tbody tr').allInnerTexts();
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([first, second].map((tab) => tab.press('Roles')));
      await growOld([first, second]);
      await Promise.all([first, second].map((tab) => tab.press('Members')));
      await second.reads(guest.person.email);
      expect([await names(first), await names(second)].map(({ length }) => length)).toEqual([1, 2]);
    }
  });

  it('are signed out and signed in together', async () => {
    const first = await signedIn();
    const second = await first.tab();
    await second.goto('/account');
    await second.sees('Profile');
    await first.press(/^My account/);
    await first.press('Sign out');
    for (const tab of [first, second]) await tab.reads('You have signed out.');
    await first.signIn(ada);
    for (const tab of [first, second]) await tab.sees('Organizations');
  });

  it('show nothing of the previous user', async () => {
    const first = await signedIn();
    const second = await first.tab();
    await second.goto('/account');
    await second.reads(ada.email);
    await first.press(/^My account/);
    await first.press('Sign out');
    const grace = await Person.signUp(app);
    await first.signIn(grace);
    await second.sees('Organizations');
    await second.goto('/account');
    await second.reads(grace.email);
    expect(await second.page.getByText(ada.email).count()).toBe(0);
  });

  it('notice that the session has ended in another browser, and return to the page after a sign-in', async () => {
    const visitor = await signedIn();
    await visitor.goto('/account/identities');
    await visitor.sees('Sign-in methods');
    await app.post('logout-all', undefined, { token: (await Person.again(ada)).token });
    // The tab may notice by itself, before a button is pressed.
    await Promise.race([
      visitor.press('Profile').catch(() => undefined),
      visitor.reads('Your session has ended'),
    ]);
    await visitor.reads('Your session has ended');
    await visitor.signIn(ada);
    await visitor.page.getByRole('heading', { level: 1, name: /^(Profile|Identities)$/ }).waitFor();
  });

  it('expose no token to scripts, and none in an address', async () => {
    const visitor = await signedIn();
    const [readable, cookies] = await Promise.all([
      visitor.page.evaluate(
        'JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, location.href])',
      ),
      visitor.page.context().cookies(),
    ]);
    expect(readable).not.toMatch(/ghr_|eyJ/);
    const databases = await visitor.page.evaluate('indexedDB.databases()');
    expect(databases).toEqual([]);
    expect(
      cookies.map(({ name, httpOnly, sameSite }) => [name.replace(/-\d+$/, ''), httpOnly, sameSite]),
    ).toEqual(
      expect.arrayContaining([
        ['gatehouse-refresh', true, 'Strict'],
        ['gatehouse-session', false, 'Strict'],
      ]),
    );
    expect(cookies).toHaveLength(2);
    await visitor.press(/^My account/);
    await visitor.press('Sign out');
    await visitor.sees('Sign in');
    await eventually(
      'the cookies are gone',
      async () => (await visitor.page.context().cookies()).length === 0,
    );
  });
});
