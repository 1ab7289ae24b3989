import { CHROMIUM } from '../support/chromium.js';
import { Organization } from '../support/organization.js';
import { PortalBrowser, startPortal, type Visitor } from '../support/portal.js';
import { eventually, type TestApp } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const ME = '/api/v1/iam/me';

describeWith([CHROMIUM], 'Keys at the portal', () => {
  let app: TestApp;
  let portal: PortalBrowser;
  let visitor: Visitor;
  let organization: Organization;
  beforeAll(async () => {
    app = await startPortal();
    portal = await PortalBrowser.open(app.url);
  });
  beforeEach(async () => {
    visitor = await portal.visitor();
    organization = await Organization.found(app);
  });
  afterEach(() => portal.leave());
  afterAll(async () => {
    await portal.close();
    await app.stop();
  });

  const shownKey = async (): Promise<string> =>
    (await visitor.page.getByLabel('Key', { exact: true }).textContent()) ?? '';
  const statusOf = async (key: string) => (await app.get(ME, key)).status;

  it('of a person are created, shown once, marked when unused, and revoked', async () => {
    await visitor.goto('/account/keys');
    await visitor.signIn(organization.owner.person);
    await visitor.reads('You have no keys.');
    await visitor.press('New key');
    await visitor.fill('Name', 'Laptop');
    await visitor.press('Create key');
    await visitor.reads('It is not shown again.');
    const key = await shownKey();
    expect([key.slice(0, 6), await statusOf(key)]).toEqual(['gh_me_', 200]);
    await visitor.press('I have stored it');
    await visitor.reads('Laptop');
    expect(await visitor.page.content()).not.toContain(key.slice(17));
    await eventually('the use is noted', async () => {
      const noted = await app.sql('SELECT 1 FROM machine_credentials WHERE last_used_at IS NOT NULL');
      return noted.length > 0;
    });
    await app.sql(
      "UPDATE machine_credentials SET created_at = now() - interval '91 days', last_used_at = now() - interval '91 days'",
    );
    await visitor.page.reload();
    await visitor.reads('Unused for 90 days');
    await visitor.press('Revoke Laptop');
    await visitor.press('Revoke');
    await visitor.reads('You have no keys.');
    expect(await statusOf(key)).toBe(401);
  });

  it('of a service account are created with it, and refused while it is disabled', async () => {
    await visitor.goto(`/organizations/${organization.id}/service-accounts`);
    await visitor.signIn(organization.owner.person);
    await visitor.reads('No program has an account yet.');
    await visitor.press('New service account');
    await visitor.fill('Name', 'Export');
    await visitor.press('Create service account');
    await visitor.press('Keys of Export');
    await visitor.press('New key');
    await visitor.fill('Name', 'Nightly');
    await visitor.press('Create key');
    await visitor.reads('It is not shown again.');
    const key = await shownKey();
    await visitor.press('I have stored it');
    await visitor.reads('Nightly');
    expect(await statusOf(key)).toBe(200);
    await visitor.press('Close');
    await visitor.press('Actions for Export');
    await visitor.page.getByRole('menuitem', { name: 'Disable' }).click();
    await visitor.press('Disable');
    await visitor.reads('Service account Export disabled.');
    expect(await statusOf(key)).toBe(401);
  });
});
