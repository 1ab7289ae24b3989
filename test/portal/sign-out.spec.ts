import { CHROMIUM } from '../support/chromium.js';
import { Person } from '../support/organization.js';
import { withPortal, withVisitor } from '../support/portal.js';
import { RelyingParty } from '../support/relying-party.js';
import { SiteOfApp } from '../support/site-of-app.js';
import { describeWith } from '../support/tools.js';

describeWith([CHROMIUM], 'The page of a logout that a client has begun', () => {
  let helpCentre: SiteOfApp;
  let ada: Person;
  let client: RelyingParty;
  const { app, portal } = withPortal();
  const visitor = withVisitor(portal);
  beforeAll(async () => {
    helpCentre = await SiteOfApp.start();
    ada = await Person.signUp(app);
    client = await RelyingParty.register(app, { postLogoutRedirectUris: [`${helpCentre.url}/bye`] });
  });
  beforeEach(async () => {
    await visitor.goto('/');
    await visitor.signIn(ada);
    await visitor.page.waitForURL('**/organizations');
  });
  afterAll(() => helpCentre.stop());

  const sessions = async () =>
    (await app.sql('SELECT 1 FROM sessions WHERE account_id = $1 AND ended_at IS NULL', [ada.id])).length;
  const asked = (uri = `${helpCentre.url}/bye`) =>
    `/oauth2/logout?${new URLSearchParams({ client_id: client.clientId, post_logout_redirect_uri: uri, state: 'x1' })}`;

  it('ends nothing without a press, and returns to the client after it', async () => {
    const before = await sessions();
    await visitor.page.goto(app.url + asked());
    await visitor.sees('Sign out?');
    await visitor.reads('Help centre asks to sign you out.');
    expect(await sessions()).toBe(before);
    await visitor.press('Sign out');
    await visitor.page.waitForURL(`${helpCentre.url}/bye?state=x1`);
    expect(await sessions()).toBe(before - 1);
  });

  it('lets the person stay, and goes to no address that is not registered', async () => {
    const before = await sessions();
    await visitor.page.goto(app.url + asked());
    await visitor.page.getByRole('link', { name: 'Stay signed in' }).click();
    await visitor.page.waitForURL('**/organizations');
    const trap = { client_id: client.clientId, post_logout_redirect_uri: 'https://attacker.example/' };
    await visitor.goto(`/sign-out?${new URLSearchParams(trap)}`);
    await visitor.sees('This app cannot sign you out');
    expect(await sessions()).toBe(before);
    await visitor.press('Sign out');
    await visitor.sees('You are signed out');
    expect(await sessions()).toBe(before - 1);
  });

  it('returns to the client at once if the person is signed out already', async () => {
    await visitor.page.goto(`${app.url}/oauth2/logout`);
    await visitor.press('Sign out');
    await visitor.sees('You are signed out');
    await visitor.page.goto(app.url + asked());
    await visitor.page.waitForURL(`${helpCentre.url}/bye?state=x1`);
  });

  it('signs out without a client, too', async () => {
    await visitor.page.goto(`${app.url}/oauth2/logout`);
    await visitor.sees('Sign out?');
    await visitor.press('Sign out');
    await visitor.sees('You are signed out');
  });
});
