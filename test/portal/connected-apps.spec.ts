import { CHROMIUM } from '../support/chromium.js';
import { Person } from '../support/organization.js';
import { PortalBrowser, startPortal, type Visitor } from '../support/portal.js';
import { RelyingParty } from '../support/relying-party.js';
import type { TestApp } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

describeWith([CHROMIUM], 'Connected apps at the portal', () => {
  let app: TestApp;
  let portal: PortalBrowser;
  let visitor: Visitor;
  beforeAll(async () => {
    app = await startPortal();
    portal = await PortalBrowser.open(app.url);
  });
  beforeEach(async () => {
    visitor = await portal.visitor();
  });
  afterEach(() => portal.leave());
  afterAll(async () => {
    await portal.close();
    await app.stop();
  });

  it('are listed with what they may do, and withdrawn with their tokens', async () => {
    const person = await Person.signUp(app);
    const client = await RelyingParty.register(app, { firstParty: false });
    const { access_token: token } = await client.signIn(person.token);
    const isActive = async () => (await client.post('/oauth2/introspect', { token })).body['active'];
    expect(await isActive()).toBe(true);
    await visitor.goto('/account/apps');
    await visitor.signIn(person);
    await visitor.sees('Connected apps');
    await visitor.reads('Help centre');
    await visitor.reads(/^Authorized \S/);
    await visitor.page.getByText('What it may do').click();
    await visitor.reads('Who you are');
    await visitor.press('Withdraw Help centre');
    await visitor.reads('Help centre is signed out at once');
    await visitor.press('Withdraw');
    await visitor.reads('No authorized app');
    expect(await isActive()).toBe(false);
  });
});
