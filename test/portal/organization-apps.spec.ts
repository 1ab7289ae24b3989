import { CHROMIUM } from '../support/chromium.js';
import { Organization } from '../support/organization.js';
import { PortalBrowser, startPortal, type Visitor } from '../support/portal.js';
import { RelyingParty } from '../support/relying-party.js';
import { eventually, type TestApp } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const REDIRECT = 'https://grafana.example.com/login/generic_oauth';

describeWith([CHROMIUM], 'Apps of an organization at the portal', () => {
  let app: TestApp;
  let portal: PortalBrowser;
  let visitor: Visitor;
  let organization: Organization;
  beforeAll(async () => {
    app = await startPortal();
    portal = await PortalBrowser.open(app.url);
    organization = await Organization.found(app);
  });
  beforeEach(async () => {
    visitor = await portal.visitor();
  });
  afterEach(() => portal.leave());
  afterAll(async () => {
    await portal.close();
    await app.stop();
  });

  const shown = async (label: string): Promise<string> =>
    ((await visitor.page.getByRole('group', { name: label, exact: true }).textContent()) ?? '').trim();

  it('are created with a secret that is shown once, changed and deleted', async () => {
    await visitor.goto(`/organizations/${organization.id}/apps`);
    await visitor.signIn(organization.owner.person);
    await visitor.reads('No app yet');
    await visitor.press('New app');
    await visitor.fill('Name', 'Grafana');
    await visitor.fill('Redirect addresses', 'no address');
    await visitor.press('Create app');
    await visitor.page.locator('[aria-invalid=true]').first().waitFor();
    await visitor.fill('Redirect addresses', `${REDIRECT}\n`);
    await visitor.press('Create app');
    await visitor.reads('The secret is not shown again.');
    const dialog = visitor.page.getByRole('dialog');
    expect(await dialog.getByRole('group', { name: 'Issuer' }).textContent()).toBe(app.url);
    const [clientId, clientSecret] = [await shown('Client id'), await shown('Client secret')];
    const client = await RelyingParty.of(app, { clientId, clientSecret, redirectUri: REDIRECT });
    await client.signIn(organization.owner.person.token);
    await visitor.press('I have stored it');
    await visitor.reads('Learns of a logout at its next refresh');
    expect(await shown('Issuer')).toBe(app.url);
    expect(await visitor.page.content()).not.toContain(clientSecret);
    await visitor.choose('Actions for Grafana', 'Change app');
    await visitor.fill('Address for logouts', 'https://grafana.example.com/logout');
    await visitor.press('Save');
    await visitor.reads('Learns of a logout within a second.');
    await visitor.choose('Actions for Grafana', 'Rotate secret');
    await visitor.press('Rotate secret');
    await visitor.reads('The secret is not shown again.');
    const next = { clientId, clientSecret: await shown('Client secret'), redirectUri: REDIRECT };
    expect(next.clientSecret).not.toBe(clientSecret);
    await (await RelyingParty.of(app, next)).signIn(organization.owner.person.token);
    await visitor.press('I have stored it');
    await visitor.choose('Actions for Grafana', 'Delete');
    await visitor.press('Delete');
    await visitor.reads('No app yet');
    const refused = await client.post('/oauth2/introspect', { token: 'x' });
    expect(refused.status).toBe(401);
  });

  it('are for members who may manage them', async () => {
    const { person } = await organization.join('member');
    await visitor.goto(`/organizations/${organization.id}/members`);
    await visitor.signIn(person);
    await visitor.sees('Members');
    await eventually('the pages are listed', async () => {
      return (await visitor.page.getByRole('link', { name: 'Roles' }).count()) > 0;
    });
    expect(await visitor.page.getByRole('link', { name: 'Apps', exact: true }).count()).toBe(0);
  });
});
