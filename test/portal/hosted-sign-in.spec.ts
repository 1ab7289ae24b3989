import { decodeJwt } from 'jose';
import { CHROMIUM } from '../support/chromium.js';
import { TestTotp } from '../support/factors.js';
import { HostedApp } from '../support/hosted.js';
import { Person } from '../support/organization.js';
import {
  isFocused,
  mailedLink,
  type Visitor,
  withPortal,
  withVisitor,
  withStandIns,
} from '../support/portal.js';
import { withStarted } from '../support/test-app.js';
import { pkce } from '../support/satellite.js';
import { SiteOfApp } from '../support/site-of-app.js';
import { describeWith } from '../support/tools.js';

/** Characters that an address spells in several ways. */
const STATE = 'a b+c%26d&e=ü#';

describeWith([CHROMIUM], 'The sign-in page, for an app', () => {
  let ada: Person;
  const { codeVerifier, codeChallenge } = pkce();
  const providers = withStandIns();
  const shop = withStarted(
    () => SiteOfApp.start(),
    (one) => one.stop(),
  );
  const { app, portal } = withPortal(() => ({ ...providers.settings, RETURN_URIS: `${shop.url}/signed-in` }));
  const visitor = withVisitor(portal);
  beforeAll(async () => {
    ada = await Person.signUp(app);
  });

  const returnTo = () => `${shop.url}/signed-in`;
  const requestOf = (changes: Record<string, string> = {}) =>
    `/sign-in?${new URLSearchParams({ return_to: returnTo(), code_challenge: codeChallenge, state: STATE, ...changes })}`;
  const host = () => new URL(shop.url).host;
  /**
   * Waits for the return to the app, and redeems the code.
   * @returns the claims of the app's token
   */
  const claims = async ({ page }: Visitor = visitor) => {
    await page.waitForURL(`${returnTo()}#**`);
    const { code = '', state } = Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.slice(1)));
    expect(state).toBe(STATE);
    const { status, body } = await new HostedApp(app, returnTo()).redeem({ code, codeVerifier });
    expect(status).toBe(200);
    return decodeJwt(String(body['accessToken']));
  };
  const sessionOf = async ({ page }: Visitor) =>
    (await page.context().cookies(app.url)).find(({ name }) => name.startsWith('gatehouse-session'))?.value;
  const signedIn = async (person: Person = ada) => {
    await visitor.goto('/');
    await visitor.signIn(person);
    await visitor.sees('Organizations');
  };
  const codes = () => app.sql("SELECT 1 FROM one_time_codes WHERE purpose = 'hosted'");

  it('names the app, signs in by password, and returns with a code for the same session', async () => {
    await visitor.goto(requestOf());
    await visitor.reads(`To continue to ${host()}.`);
    await visitor.signIn({ email: ada.email, password: 'wrong' });
    await visitor.reads('Wrong email address or password');
    await visitor.signIn(ada);
    const { sub, sid } = await claims();
    expect([sub, sid]).toEqual([ada.id, await sessionOf(visitor)]);
  });

  it('tells a user of a weak password before it goes on, after a second factor too', async () => {
    const password = 'Football1';
    const { email } = await app.register(undefined, password);
    const totp = await TestTotp.enrol(app, (await app.login({ email, password })).accessToken);
    await visitor.goto(requestOf());
    await visitor.signIn({ email, password });
    await visitor.fill('Code', totp.next());
    await visitor.press('Confirm');
    await visitor.reads(/^Attackers try your password first/);
    await visitor.press(`Continue as ${email}`);
    expect((await claims())['acr']).toBe('aal2');
  });

  it('lets a user confirm for an app that asks for more, and goes on', async () => {
    const person = await Person.signUp(app);
    await signedIn(person);
    const totp = await TestTotp.enrol(app, person.token); // this browser has signed in by one factor
    await visitor.goto(requestOf({ acr: 'aal2', max_age: '300' }));
    await visitor.press(`Continue as ${person.email}`);
    const confirm = visitor.page.getByRole('dialog', { name: 'Confirm it is you' });
    await confirm.getByLabel('Code', { exact: true }).fill(totp.next());
    await confirm.getByRole('button', { name: 'Confirm' }).click();
    expect((await claims())['acr']).toBe('aal2');
  });

  it('waits for a press of a user who is signed in, also after a reload, and works by keyboard', async () => {
    await signedIn();
    const before = await codes();
    for (let load = 0; load < 2; load += 1) {
      await visitor.goto(requestOf());
      await visitor.sees(`Continue to ${host()}`);
      await visitor.page.waitForLoadState('networkidle');
    }
    expect([visitor.page.url(), await codes()]).toEqual([`${app.url}${requestOf()}`, before]);
    const button = visitor.page.getByRole('button', { name: `Continue as ${ada.email}` });
    await button.waitFor();
    for (let presses = 0; presses < 8 && !(await isFocused(button)); presses += 1)
      await visitor.page.keyboard.press('Tab');
    await visitor.page.keyboard.press('Enter');
    expect((await claims()).sub).toBe(ada.id);
  });

  it('does not continue by itself when the user signs in in another tab', async () => {
    await visitor.goto(requestOf());
    await visitor.sees('Sign in');
    const before = await codes();
    const other = await visitor.tab();
    await other.goto('/');
    await other.signIn(ada);
    await visitor.sees(`Continue to ${host()}`);
    await visitor.page.waitForLoadState('networkidle');
    expect(await codes()).toEqual(before);
  });

  it('does not continue after a sign-in on a page that has not named the app', async () => {
    const next = encodeURIComponent(requestOf());
    const before = await codes();
    await visitor.goto(`/sign-in?next=${next}`);
    await visitor.press('Continue with Google');
    await consent();
    await visitor.sees('Organizations');
    await visitor.page.context().clearCookies();
    await visitor.goto(`/sign-in?next=${next}`);
    await visitor.signIn(ada);
    await visitor.sees('Organizations');
    expect(await codes()).toEqual(before);
  });

  it('lets the user choose another account, and keeps the session of one who does not', async () => {
    const grace = await Person.signUp(app);
    await signedIn();
    const session = await sessionOf(visitor);
    await visitor.goto(requestOf());
    await visitor.press('Use another account');
    await visitor.sees('Sign in');
    await visitor.page.goBack();
    await visitor.sees(`Continue to ${host()}`);
    expect(await sessionOf(visitor)).toBe(session);
    await visitor.press('Use another account');
    await visitor.signIn(grace);
    expect((await claims()).sub).toBe(grace.id);
    const [row] = await app.sql('SELECT ended_at AS "endedAt" FROM sessions WHERE id = $1', [session]);
    expect(row?.['endedAt']).toBeInstanceOf(Date);
  });

  it('asks for the password when the session has ended in the meantime', async () => {
    await signedIn();
    await visitor.goto(requestOf());
    await visitor.sees(`Continue to ${host()}`);
    await app.sql('UPDATE sessions SET ended_at = now() WHERE id = $1', [await sessionOf(visitor)]);
    await app.sql('UPDATE grants SET ended_at = now() WHERE session_id = $1', [await sessionOf(visitor)]);
    await visitor.page.reload();
    await visitor.reads('Your session has ended');
    await visitor.signIn(ada);
    expect((await claims()).sub).toBe(ada.id);
  });

  const consent = async () => {
    await visitor.page.waitForURL(/\/at\//);
    await visitor.press('Sign in');
    await visitor.press('Go back');
  };

  it('signs in by an external provider, and returns without a second press', async () => {
    await visitor.goto(requestOf());
    await visitor.press('Continue with Google');
    await consent();
    expect((await claims()).sid).toBe(await sessionOf(visitor));
  });

  it('takes a newcomer from registration and the mailed link to the app', async () => {
    const email = 'newcomer@example.com';
    await visitor.goto(requestOf());
    await visitor.press('Create an account');
    await visitor.fill('First name', 'Grace');
    await visitor.fill('Email address', email);
    await visitor.fill('Password', ada.password);
    await visitor.press('Create account');
    await visitor.sees('Check your email');
    const other = await visitor.tab();
    await other.goto(await mailedLink(app, email));
    await other.press('Confirm email address');
    await other.press('Sign in');
    await other.reads(`To continue to ${host()}.`);
    await other.signIn({ email, password: ada.password });
    expect((await claims(other)).sid).toBe(await sessionOf(other));
  });

  it.each([
    ['a foreign address', { return_to: 'https://thief.example/signed-in' }, /not registered here/],
    ['an address with a user', { return_to: 'http://localhost@thief.example/' }, /not registered here/],
    ['a script', { return_to: 'javascript:alert(1)' }, /not registered here/],
    ['no challenge', { code_challenge: '' }, /incomplete or damaged/],
    ['a long state', { state: 'x'.repeat(513) }, /incomplete or damaged/],
  ])('ends on a page for %s, signed in or not', async (_what, changes, reason) => {
    await visitor.goto(requestOf(changes));
    await visitor.sees('This app cannot sign you in');
    await visitor.reads(reason);
    await signedIn();
    await visitor.goto(requestOf(changes));
    await visitor.sees('This app cannot sign you in');
    expect(new URL(visitor.page.url()).origin).toBe(app.url);
    expect(await visitor.page.getByRole('link').evaluateAll((links) => links.map(String))).toEqual(
      expect.not.arrayContaining([expect.stringContaining('thief')]),
    );
  });
});
