import { CHROMIUM } from '../support/chromium.js';
import { Organization } from '../support/organization.js';
import { withPortal, withVisitor } from '../support/portal.js';
import { ScimDirectory, verifyDomain } from '../support/scim-directory.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

describeWith([CHROMIUM], 'The directories of an organization, at the portal', () => {
  let organization: Organization;
  const { app, portal } = withPortal();
  const visitor = withVisitor(portal);
  beforeEach(async () => {
    organization = await Organization.found(app);
  });

  const ACTIONS = 'Actions for this directory';
  const dialog = (name: string) =>
    visitor.page.getByRole('dialog', { name }).or(visitor.page.getByRole('alertdialog', { name }));
  const open = async (path = ''): Promise<void> => {
    await visitor.goto(`/organizations/${organization.id}/directories${path}`);
    await visitor.signIn(organization.owner.person);
  };
  const rowIn = (list: string, text: string) =>
    visitor.page
      .getByRole('list', { name: list, exact: true })
      .getByRole('listitem')
      .or(visitor.page.getByRole('table', { name: list, exact: true }).locator('tbody tr'))
      .filter({ hasText: text });
  const status = async (id: string) => (await organization.call('GET', `/directories/${id}`)).status;

  it('are created with a token that is shown once and works', async () => {
    await open();
    await visitor.reads('No directory yet');
    await visitor.press('New directory');
    const form = dialog('New directory');
    await form.getByRole('textbox', { name: 'Name' }).fill('Okta');
    await form.getByRole('button', { name: 'Create directory' }).click();
    await visitor.sees('Okta');
    const address = await visitor.page.getByRole('group', { name: 'Tenant URL', exact: true }).innerText();
    expect(address).toMatch(/\/api\/scim\/v2\/[0-9A-Z]{26}$/);
    await visitor.press('New token');
    await dialog('New key').getByRole('textbox', { name: 'Name' }).fill('First');
    await dialog('New key').getByRole('button', { name: 'Create key' }).click();
    const token = await dialog('Key created')
      .getByText(/^gh_scim_/)
      .innerText();
    await dialog('Key created').getByRole('button', { name: 'I have stored it' }).click();
    await rowIn('Tokens', 'First').getByText('never used').waitFor();
    const answer = await fetch(`${address}/Users`, { headers: { Authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    await rowIn('Calls', 'GET /Users').getByText('200').waitFor();
    await visitor.press('Revoke First');
    await dialog('Revoke First?').getByRole('button', { name: 'Revoke' }).click();
    await visitor.reads('There is no token yet.');
  });

  it('show who waits and why, and what the provider was refused', async () => {
    const directory = await ScimDirectory.create(organization);
    await directory.create('ada@acme.example');
    await directory.create('ada@acme.example').catch(() => undefined);
    await open(`/${directory.id}`);
    await rowIn('People', 'ada@acme.example').getByText('has not verified the domain').last().waitFor();
    await rowIn('Calls', 'POST /Users')
      .getByText(/^uniqueness/)
      .last()
      .waitFor();
    await verifyDomain(organization, 'acme.example');
    await visitor.press('Try again with ada@acme.example');
    await visitor.reads('ada@acme.example is tried again.');
  });

  it('make workers of people without an address, and say which number is taken', async () => {
    const directory = await ScimDirectory.create(organization);
    const person = { emails: [], externalId: 'P-4711' };
    await directory.create('grace', person);
    await organization.call('POST', '/workers', { number: 'P-4712', firstName: 'Ada', roles: ['member'] });
    await directory.create('ada', { ...person, externalId: 'P-4712' });
    await open(`/${directory.id}`);
    await rowIn('People', 'grace').getByText('has sent no email address').last().waitFor();
    await visitor.choose(ACTIONS, 'Edit');
    const form = dialog('Edit directory');
    await form.getByRole('button', { name: 'People without an email address' }).click();
    await visitor.page.getByRole('option', { name: 'Become workers' }).click();
    await form.getByText('the externalId, else the userName').waitFor();
    await form.getByRole('button', { name: 'Save' }).click();
    await eventually('the person is a worker', async () => {
      const { body } = await organization.call('GET', '/workers?query=P-4711');
      return (body['items'] as unknown as object[]).length === 1;
    });
    await visitor.page.reload();
    await rowIn('People', 'grace').getByText('Member').waitFor();
    await rowIn('People', 'ada').getByText('another worker has this number').last().waitFor();
  });

  it('give roles by groups, after a look at whom that concerns', async () => {
    const directory = await ScimDirectory.create(organization);
    await verifyDomain(organization, 'packers.example');
    const value = await directory.create('ada@packers.example');
    await directory.call('POST', '/Groups', { displayName: 'Packers', members: [{ value }] });
    await open(`/${directory.id}`);
    await visitor.press('New rule');
    const form = dialog('New rule');
    await form.getByRole('textbox', { name: 'Group' }).fill('Packers');
    await form.getByRole('checkbox', { name: 'Admin' }).check({ force: true });
    await form.getByRole('button', { name: 'Check' }).click();
    await form.getByText('Applies to one member now.').waitFor();
    await form.getByRole('button', { name: 'Add rule' }).click();
    await rowIn('Roles by groups', 'Packers').getByText('Applies to one member now.').waitFor();
    const members = await organization.call('GET', '/members?query=ada@packers');
    expect(members.body['items']).toMatchObject([{ roles: ['admin'] }]);
    await visitor.press('Remove the rule of Packers');
    await rowIn('Roles by groups', 'Packers').waitFor({ state: 'detached' });
  });

  it('are disabled and deleted after a question', async () => {
    const directory = await ScimDirectory.create(organization);
    await open(`/${directory.id}`);
    await visitor.choose(ACTIONS, 'Disable');
    await dialog('Disable Entra ID?').getByRole('button', { name: 'Disable' }).click();
    await visitor.reads('Its tokens are refused. Members stay as they are.');
    expect((await directory.call('GET', '/Users')).status).toBe(401);
    await visitor.choose(ACTIONS, 'Enable');
    await visitor.reads('Directory Entra ID enabled.');
    expect((await directory.call('GET', '/Users')).status).toBe(200);
    await visitor.choose(ACTIONS, 'Delete');
    await dialog('Delete Entra ID?').getByRole('button', { name: 'Delete' }).click();
    await visitor.reads('No directory yet');
    expect(await status(directory.id)).toBe(404);
  });
});
