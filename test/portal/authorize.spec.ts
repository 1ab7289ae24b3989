import { decodeJwt } from 'jose';
import { CHROMIUM } from '../support/chromium.js';
import { TestTotp } from '../support/factors.js';
import { Organization, Person } from '../support/organization.js';
import { isFocused, withPortal, withVisitor } from '../support/portal.js';
import { RelyingParty } from '../support/relying-party.js';
import { pkce, TestSatellite } from '../support/satellite.js';
import { SiteOfApp } from '../support/site-of-app.js';
import { describeWith } from '../support/tools.js';

const STATE = 'a b+c%26d&e=ü#';

describeWith([CHROMIUM], 'The authorization page', () => {
  let helpCentre: SiteOfApp;
  let ada: Person;
  let satellite: TestSatellite;
  const { codeVerifier, codeChallenge } = pkce();
  const { app, portal } = withPortal();
  const visitor = withVisitor(portal);
  beforeAll(async () => {
    helpCentre = await SiteOfApp.start();
    ada = await Person.signUp(app);
    satellite = await TestSatellite.register(app, undefined, `${helpCentre.url}/callback?from=portal`);
  });
  afterAll(() => helpCentre.stop());

  const requestOf = (changes: Record<string, string> = {}) => {
    const { clientId, redirectUri } = satellite;
    const request = { clientId, redirectUri, codeChallenge, state: STATE, ...changes };
    return `/authorize?${new URLSearchParams(request)}`;
  };
  const callback = async () => {
    await visitor.page.waitForURL(`${helpCentre.url}/callback**`);
    const query = Object.fromEntries(new URL(visitor.page.url()).searchParams);
    expect(query).toMatchObject({ from: 'portal', state: STATE });
    return query;
  };
  /** Exchanges the code with which the visitor has returned. @returns the claims of the token */
  const claims = async () => {
    const { status, body } = await satellite.exchange((await callback())['code'], codeVerifier);
    expect(status).toBe(200);
    return decodeJwt(String(body['accessToken']));
  };
  const opened = async (person: Person) => {
    await visitor.goto(requestOf());
    await visitor.reads('To continue to Help centre.');
    await visitor.signIn(person);
    await visitor.sees('Sign in to Help centre?');
  };
  const codes = () => app.sql("SELECT 1 FROM one_time_codes WHERE purpose = 'openid'");

  it('lets a visitor sign in, asks, and returns with a code of the same session', async () => {
    const before = await codes();
    await opened(ada);
    await visitor.reads(new URL(helpCentre.url).host);
    await visitor.page.waitForLoadState('networkidle');
    expect(await codes()).toEqual(before); // nothing without a press
    await visitor.press(`Continue as ${ada.email}`);
    expect(await claims()).toMatchObject({ sub: ada.id, client_id: satellite.clientId });
  });

  it('asks for consent to a client of OpenID Connect, and once given goes on by itself', async () => {
    const redirectUris = [`${helpCentre.url}/openid`];
    const client = await RelyingParty.register(app, { firstParty: false, redirectUris });
    const back = async () => {
      await visitor.page.waitForURL(`${helpCentre.url}/openid**`);
      return visitor.page.url();
    };
    const person = await Person.signUp(app);
    const request = await client.depart({ state: STATE, login_hint: person.email });
    await visitor.page.goto(request.url.href);
    await visitor.reads('To continue to Help centre.');
    const address = visitor.page.getByLabel('Email address', { exact: true });
    await address.waitFor();
    expect(await address.inputValue()).toBe(person.email);
    await visitor.signIn(person);
    await visitor.sees('Sign in to Help centre?');
    await visitor.reads('Your email address');
    await visitor.press(`Continue as ${person.email}`);
    const first = await client.redeem(await back(), { ...request, state: STATE });
    expect(first.claims()?.sub).toMatch(/^[\w-]{43}$/); // pairwise
    const again = await client.depart({ state: STATE, prompt: 'none' });
    await visitor.page.goto(again.url.href);
    expect((await client.redeem(await back(), { ...again, state: STATE })).claims()).toMatchObject({
      sid: first.claims()?.['sid'],
    });
    const chosen = await client.depart({ state: STATE, prompt: 'select_account' });
    await visitor.page.goto(chosen.url.href);
    await visitor.reads('Use another account');
    const more = await client.depart({ state: STATE, prompt: 'consent' });
    await visitor.page.goto(more.url.href);
    await visitor.sees('Sign in to Help centre?');
    await visitor.press('Cancel');
    expect(new URL(await back()).searchParams.get('error')).toBe('access_denied');
  });

  it('says that a request of OpenID Connect was answered already, signed in or not', async () => {
    const client = await RelyingParty.register(app);
    for (const signedIn of [false, true]) {
      if (signedIn) await opened(ada);
      const { id } = await client.request();
      await client.deny(id);
      await visitor.page.goto(`${app.url}/authorize?request=${id}`);
      await visitor.sees('This app cannot sign you in');
      await visitor.reads(/has expired, or was answered already/);
    }
  });

  it('works by keyboard', async () => {
    await opened(ada);
    const button = visitor.page.getByRole('button', { name: `Continue as ${ada.email}` });
    await button.waitFor();
    for (let presses = 0; presses < 8 && !(await isFocused(button)); presses += 1)
      await visitor.page.keyboard.press('Tab');
    await visitor.page.keyboard.press('Enter');
    expect((await claims()).sub).toBe(ada.id);
  });

  it('selects the only organization of the visitor, or the one that is chosen', async () => {
    const person = await Person.signUp(app);
    const [only, other] = [await Organization.found(app, person), await Organization.found(app)];
    await opened(person);
    await visitor.page.getByRole('button', { name: /^Lovelace Logistics/ }).waitFor();
    await visitor.press(`Continue as ${person.email}`);
    expect((await claims())['tid']).toBe(only.id);
    await other.admit(person, 'member');
    await visitor.goto(requestOf());
    await visitor.page.getByRole('button', { name: /^No organization/ }).click();
    await visitor.page.getByRole('option', { name: 'Lovelace Logistics' }).nth(1).click();
    await visitor.press(`Continue as ${person.email}`);
    expect([only.id, other.id]).toContain((await claims())['tid']);
    await visitor.goto(requestOf());
    await visitor.press(`Continue as ${person.email}`);
    expect((await claims())['tid']).toBeUndefined();
  });

  it('tells the satellite that the visitor has declined, without a code', async () => {
    const before = await codes();
    await opened(ada);
    await visitor.press('Cancel');
    expect(await callback()).toEqual({ from: 'portal', error: 'access_denied', state: STATE });
    expect(await codes()).toEqual(before);
  });

  it('lets the visitor choose another account', async () => {
    const grace = await Person.signUp(app);
    await opened(ada);
    await visitor.press('Use another account');
    await visitor.signIn(grace);
    await visitor.press(`Continue as ${grace.email}`);
    expect((await claims()).sub).toBe(grace.id);
  });

  it('says in words why a code is refused, and does not leave', async () => {
    await opened(ada);
    await app.sql('UPDATE satellites SET disabled_at = now() WHERE client_id = $1', [satellite.clientId]);
    await visitor.press(`Continue as ${ada.email}`);
    await visitor.reads('The satellite does not exist or is disabled.');
    await visitor.goto(requestOf());
    await visitor.sees('This app cannot sign you in');
    await app.sql('UPDATE satellites SET disabled_at = NULL WHERE client_id = $1', [satellite.clientId]);
    expect(new URL(visitor.page.url()).origin).toBe(app.url);
  });

  it('lets a visitor confirm for a satellite that asks for more, and goes on', async () => {
    const person = await Person.signUp(app);
    const totp = await TestTotp.enrol(app, person.token);
    const before = await codes();
    await visitor.goto(requestOf({ acr: 'aal2', maxAge: '300' }));
    await visitor.signIn(person);
    await visitor.fill('Code', totp.next());
    await visitor.press('Confirm');
    await visitor.sees('Sign in to Help centre?');
    await app.sql(
      `UPDATE sessions SET created_at = created_at - interval '1 hour', aal2_at = aal2_at - interval '1 hour',
         confirmed_at = confirmed_at - interval '1 hour' WHERE account_id = $1`,
      [person.id],
    );
    await visitor.page.reload();
    await visitor.press(`Continue as ${person.email}`);
    const confirm = visitor.page.getByRole('dialog', { name: 'Confirm it is you' });
    await confirm.getByLabel('Code', { exact: true }).fill(totp.next());
    expect(await codes()).toEqual(before);
    await confirm.getByRole('button', { name: 'Confirm' }).click();
    const { acr, auth_time: authTime } = await claims();
    expect([acr, Number(authTime) > Date.now() / 1_000 - 60]).toEqual(['aal2', true]);
  });

  it('says that a satellite asks for something unknown, and never leaves that out', async () => {
    await opened(ada);
    await visitor.goto(requestOf({ maxAge: 'soon' }));
    await visitor.press(`Continue as ${ada.email}`);
    await visitor.reads(/must be a whole number from 10/);
  });

  it.each([
    ['an unregistered address', { redirectUri: 'https://thief.example/callback' }, /not registered here/],
    ['an unknown client', { clientId: 'unregistered' }, /not registered here/],
    ['no client', { clientId: '' }, /not registered here|incomplete/],
    ['a damaged challenge', { codeChallenge: 'short' }, /incomplete or damaged/],
  ])('ends on a page for %s, signed in or not', async (_what, changes, reason) => {
    for (const signedIn of [false, true]) {
      if (signedIn) await opened(ada);
      await visitor.goto(requestOf(changes));
      await visitor.sees('This app cannot sign you in');
      await visitor.reads(reason);
      expect(new URL(visitor.page.url()).origin).toBe(app.url);
      expect(await visitor.page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    }
  });
});
