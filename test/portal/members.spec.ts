import { readFile } from 'node:fs/promises';
import { ulid } from 'ulid';
import { CHROMIUM } from '../support/chromium.js';
import { Organization } from '../support/organization.js';
import { withPortal, withVisitor } from '../support/portal.js';
import { ScimDirectory, verifyDomain } from '../support/scim-directory.js';
import { itemsOf } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

describeWith([CHROMIUM], 'The members of an organization, at the portal', () => {
  let organization: Organization;
  const { app, portal } = withPortal();
  const visitor = withVisitor(portal);
  beforeEach(async () => {
    organization = await Organization.found(app);
  });

  const open = async (): Promise<void> => {
    await visitor.goto(`/organizations/${organization.id}/members`);
    await visitor.signIn(organization.owner.person);
  };
  const row = (email: string) => visitor.page.getByRole('row').filter({ hasText: email });
  const readAs = async (token: string) =>
    (await organization.call('GET', '/members', undefined, token)).status;

  it('show their source, whether they are suspended, and their last activity', async () => {
    const domain = `${ulid().toLowerCase()}.example`;
    await verifyDomain(organization, domain);
    const directory = await ScimDirectory.create(organization);
    const [ada, grace] = [`ada@${domain}`, `grace@${domain}`];
    await directory.create(ada);
    const id = await directory.create(grace);
    await directory.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
    await open();
    await row(ada).getByText('From Entra ID', { exact: true }).waitFor();
    await row(ada).getByText('Never signed in', { exact: true }).waitFor();
    await row(grace).getByText('Suspended', { exact: true }).last().waitFor();
    expect(await row(ada).getByText('Suspended', { exact: true }).count()).toBe(0);
    const owner = row(organization.owner.person.email);
    await owner.getByText('A person', { exact: true }).waitFor();
    expect(await owner.getByText('Never signed in', { exact: true }).count()).toBe(0);
  });

  it('are suspended after a question, and restored', async () => {
    const { person, token } = await organization.join('member');
    await open();
    const choose = async (action: string) => {
      await row(person.email).getByRole('button', { name: 'Actions for Ada' }).click();
      await visitor.page.getByRole('menuitem', { name: action }).click();
    };
    await choose('Suspend');
    const question = visitor.page.getByRole('alertdialog', { name: 'Suspend Ada?' });
    await question.getByRole('button', { name: 'Suspend' }).click();
    await visitor.reads('Ada is suspended.');
    await row(person.email).getByText('Suspended', { exact: true }).last().waitFor();
    expect(await readAs(token)).toBe(401);
    await choose('Restore');
    await visitor.reads('Ada has access again.');
    await row(person.email).getByText('Suspended', { exact: true }).last().waitFor({ state: 'detached' });
    expect(await readAs(await person.select(organization.id))).toBe(200);
  });

  it('are sorted and filtered in the address, which reload and Back keep', async () => {
    const { person } = await organization.join('member');
    await organization.call('POST', `/members/${person.id}/suspend`);
    await open();
    await row(person.email).waitFor();
    const email = visitor.page.getByRole('columnheader', { name: 'Email' });
    await email.getByRole('button').click();
    await visitor.page.locator('th[aria-sort="ascending"]', { hasText: 'Email' }).waitFor();
    await email.getByRole('button').click();
    await visitor.page.locator('th[aria-sort="descending"]', { hasText: 'Email' }).waitFor();
    await visitor.page.getByRole('button', { name: /Status$/ }).click();
    await visitor.page.getByRole('option', { name: 'Suspended', exact: true }).click();
    await row(organization.owner.person.email).waitFor({ state: 'detached' });
    expect(new URL(visitor.page.url()).search).toBe('?sort=-email&status=suspended');
    await visitor.page.reload();
    await row(person.email).waitFor();
    expect(await row(organization.owner.person.email).count()).toBe(0);
    await visitor.fill('Search by name or email', 'unheard-of');
    await visitor.reads('No members found');
  });

  it('are exported with the filters in force', async () => {
    const [admin, other] = [await organization.join('admin'), await organization.join('member')];
    await organization.call('POST', `/members/${other.person.id}/suspend`);
    await open();
    await row(admin.person.email).waitFor();
    await visitor.goto(`/organizations/${organization.id}/members?status=suspended`);
    await row(other.person.email).waitFor();
    const [file] = await Promise.all([visitor.page.waitForEvent('download'), visitor.press('Export CSV')]);
    const [head, line, ...rest] = (await readFile(await file.path(), 'utf8')).split('\r\n');
    expect(head).toContain('"name","email","userId"');
    expect(line).toContain(`"${other.person.email}"`);
    expect(rest).toEqual(['']);
    await visitor.reads('1 member exported');
  });

  it('are changed several at once, with the reason where one is refused', async () => {
    const [one, other] = [await organization.join('member'), await organization.join('member')];
    await open();
    for (const { person } of [one, other, organization.owner])
      await row(person.email).getByRole('checkbox').click({ force: true });
    await visitor.reads('3 selected');
    await visitor.page.getByRole('toolbar').getByRole('button', { name: 'Suspend' }).click();
    const question = visitor.page.getByRole('alertdialog', { name: 'Suspend 3 members?' });
    await question.getByRole('button', { name: 'Suspend' }).click();
    await question.getByText('Refused for 1 member').waitFor();
    await question.getByRole('button', { name: 'Close' }).click();
    for (const { person, token } of [one, other]) {
      await row(person.email).getByText('Suspended', { exact: true }).last().waitFor();
      expect(await readAs(token)).toBe(401);
    }
    await visitor.press('Clear selection');
    await row(one.person.email).getByRole('checkbox').click({ force: true });
    await visitor.page.getByRole('toolbar').getByRole('button', { name: 'Add role' }).click();
    const dialog = visitor.page.getByRole('dialog', { name: 'Add a role to 1 member' });
    await dialog.getByRole('button', { name: /Role$/ }).click();
    await visitor.page.getByRole('option', { name: 'Admin', exact: true }).click();
    await dialog.getByRole('button', { name: 'Add role' }).click();
    await visitor.reads('1 member has the role.');
    const { body } = await organization.call('GET', `/members/${one.person.id}`);
    expect(body['roles']).toEqual(['admin', 'member']);
  });

  it('lose a role that is chosen once the roles are there, whatever was chosen before', async () => {
    const { person } = await organization.join('admin');
    const loading = Promise.withResolvers<void>();
    await visitor.page.route(/\/tenants\/\w+\/roles(\?|$)/, async (route) => {
      await loading.promise;
      await route.continue();
    });
    await open();
    await row(person.email).getByRole('checkbox').click({ force: true });
    const deed = (name: string) => visitor.page.getByRole('toolbar').getByRole('button', { name });
    await deed('Add role').and(visitor.page.locator('[disabled]')).waitFor();
    loading.resolve();
    await deed('Add role').click();
    const added = visitor.page.getByRole('dialog', { name: 'Add a role to 1 member' });
    const first = await added.getByRole('button', { name: /Role$/ }).innerText();
    await added.getByRole('button', { name: /Role$/ }).click();
    await visitor.page.getByRole('option', { name: 'Member', exact: true }).click();
    await added.getByRole('button', { name: 'Cancel' }).click();
    await deed('Remove role').click();
    const removed = visitor.page.getByRole('dialog', { name: 'Remove a role from 1 member' });
    expect(first).not.toBe('Member');
    expect(await removed.getByRole('button', { name: /Role$/ }).innerText()).toBe(first);
  });

  it('are selected only while they are in view', async () => {
    const [ada, grace] = [await organization.join('member'), await organization.join('member')];
    await open();
    const bar = visitor.page.getByRole('toolbar');
    const select = ({ person: { email } }: typeof ada) =>
      row(email).getByRole('checkbox').check({ force: true });
    const suspendByMenu = async ({ person: { email } }: typeof ada) => {
      await row(email)
        .getByRole('button', { name: /^Actions/ })
        .click();
      await visitor.page.getByRole('menuitem', { name: 'Suspend' }).click();
      await visitor.page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click();
    };
    await select(ada);
    await select(grace);
    await bar.getByText('2 selected').waitFor();
    await visitor.fill('Search by name or email', grace.person.email);
    await row(ada.person.email).waitFor({ state: 'detached' });
    await bar.getByText('1 selected').waitFor();
    await bar.getByRole('button', { name: 'Remove', exact: true }).click();
    const question = visitor.page.getByRole('alertdialog', { name: 'Remove 1 member?' });
    await question.getByRole('button', { name: 'Remove', exact: true }).click();
    await bar.waitFor({ state: 'detached' });
    expect([await readAs(ada.token), await readAs(grace.token)]).toEqual([200, 401]);
    await visitor.goto(`/organizations/${organization.id}/members?status=active`);
    await select(ada);
    await bar.getByText('1 selected').waitFor();
    await suspendByMenu(ada); // it leaves the filter
    await row(ada.person.email).waitFor({ state: 'detached' });
    await bar.waitFor({ state: 'detached' });
  });

  it('have a page with access, groups, sign-in and events', async () => {
    const domain = `${ulid().toLowerCase()}.example`;
    await verifyDomain(organization, domain);
    const directory = await ScimDirectory.create(organization);
    const value = await directory.create(`ada@${domain}`);
    await directory.call('POST', '/Groups', { displayName: 'Packers', members: [{ value }] });
    await open();
    await row(`ada@${domain}`).getByRole('link').click();
    const region = (name: string) => visitor.page.getByRole('region', { name, exact: true });
    await region('Access').getByText('Member', { exact: true }).waitFor();
    await region('Groups').getByText('Packers').waitFor();
    await region('Groups').getByRole('link', { name: 'Entra ID' }).waitFor();
    await region('Sign-in').getByText('Has no second factor that counts in this organization.').waitFor();
    await region('Audit log').getByText('joined the organization').waitFor();
    await visitor.press('All members');
    await visitor.sees('Members');
  });

  it('are given roles on things and for a time, which end, on the page of a member', async () => {
    const { person } = await organization.join('member');
    const thing = `gatehouse:///freight/depots/${ulid()}`;
    const other = `gatehouse:///freight/depots/${ulid()}`;
    const register = (uri: string, name: string) =>
      organization.call('PUT', uri.replace('gatehouse:///', '/things/'), { parents: [], name });
    await register(thing, 'Depot north');
    await register(other, 'Depot south');
    await visitor.goto(`/organizations/${organization.id}/members/${person.id}`);
    await visitor.signIn(organization.owner.person);
    const { page } = visitor;
    const access = page.getByRole('region', { name: 'Access', exact: true });
    const dialog = page.getByRole('dialog');
    const give = async (role: string, on: string | RegExp, until = '') => {
      await access.getByRole('button', { name: 'Give access' }).click();
      await dialog.getByRole('button', { name: /Role$/ }).click();
      await page.getByRole('option', { name: role, exact: true }).click();
      const field = dialog.getByRole('combobox', { name: /^Thing/ });
      if (typeof on === 'string') await field.fill(on);
      else {
        await field.fill('NORTH');
        await page.getByRole('option', { name: on }).click();
      }
      if (until !== '') await dialog.getByLabel(/^Last day/).fill(until);
      await dialog.getByRole('button', { name: 'Give access' }).click();
    };
    const holds = async () => {
      const { body } = await organization.call('GET', `/members/${person.id}`);
      const held = itemsOf<{ role: string; on: string; until: string | null }>(
        await organization.call('GET', `/members/${person.id}/assignments`),
      );
      return [body['roles'], held.map(({ role, on, until }) => [role, on, until?.slice(0, 4) ?? null])];
    };
    await give('Admin', /Depot north/, '2099-12-30');
    await visitor.reads('Ada has the access.');
    const onThings = access.getByRole('list', { name: 'On single things' });
    await onThings.getByText('Depot north').waitFor();
    await give('Member', other);
    await onThings.getByText(other).waitFor();
    expect(await holds()).toEqual([
      ['member'],
      [
        ['admin', thing, '2099'],
        ['member', other, null],
      ],
    ]);
    await give('Admin', '', '2099-12-30');
    const everywhere = access.getByRole('list', { name: 'In the whole organization' });
    await everywhere.getByText('Admin').waitFor();
    await everywhere.getByText(/^ends /).waitFor();
    await give('Member', 'nowhere');
    await dialog.getByText(/<scheme>/).waitFor();
    await visitor.press('Cancel');
    for (const list of [onThings, everywhere]) {
      await list.getByRole('button', { name: 'Actions for Admin' }).click();
      await page.getByRole('menuitem', { name: 'End this role' }).click();
      const question = page.getByRole('alertdialog', { name: 'End the role Admin of Ada?' });
      await question.getByRole('button', { name: 'End this role' }).click();
      await list.getByText('Admin').waitFor({ state: 'detached' });
    }
    expect(await holds()).toEqual([['member'], [['member', other, null]]]);
    await access.getByRole('button', { name: 'Change the end of the membership' }).click();
    await dialog.getByLabel(/^Access ends/).fill('2099-12-30');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await visitor.reads('The end of the membership of Ada is changed.');
    const { body } = await organization.call('GET', `/members/${person.id}`);
    expect(body['until']).toMatch(/^2099-12-3/);
  });

  it('show roles on things by a directory, which only its rules end', async () => {
    const domain = `${ulid().toLowerCase()}.example`;
    await verifyDomain(organization, domain);
    const directory = await ScimDirectory.create(organization);
    const value = await directory.create(`ada@${domain}`);
    await directory.call('POST', '/Groups', { displayName: 'North', members: [{ value }] });
    const on = [`gatehouse:///freight/depots/${ulid()}`];
    const rules = [{ group: 'North', roles: ['member'], on }];
    const path = `/directories/${directory.id}/rules`;
    expect((await organization.call('PUT', path, { rules })).status).toBe(200);
    await open();
    await row(`ada@${domain}`).getByRole('link').click();
    const ruled = visitor.page.getByRole('list', { name: 'On single things' }).getByRole('listitem');
    await ruled.getByText('Directory', { exact: true }).waitFor();
    expect(await ruled.getByRole('button').count()).toBe(0);
  });

  it('say to a member what their roles do not show, and whom to ask', async () => {
    const { person } = await organization.join('member');
    await visitor.goto(`/organizations/${organization.id}/members/${organization.owner.person.id}`);
    await visitor.signIn(person);
    await visitor.reads(/You need the permission “.+” \(iam:audit:read\) to see this\. Ask an owner/);
    expect(await visitor.page.getByRole('button', { name: 'Give access' }).count()).toBe(0);
  });
});
