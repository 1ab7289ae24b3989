import { ulid } from 'ulid';
import { CHROMIUM } from '../support/chromium.js';
import { Organization } from '../support/organization.js';
import { type PortalBrowser, withPortal, type Visitor } from '../support/portal.js';
import { ScimDirectory, verifyDomain } from '../support/scim-directory.js';
import type { TestApp } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

describeWith([CHROMIUM], 'The members of an organization, at the portal', () => {
  let app: TestApp;
  let portal: PortalBrowser;
  let visitor: Visitor;
  let organization: Organization;
  withPortal((started) => ({ app, portal } = started));
  beforeEach(async () => {
    visitor = await portal.visitor();
    organization = await Organization.found(app);
  });

  const open = async (): Promise<void> => {
    await visitor.goto(`/organizations/${organization.id}/members`);
    await visitor.signIn(organization.owner.person);
  };
  const row = (email: string) => visitor.page.getByRole('listitem').filter({ hasText: email });
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
    await row(ada).getByText('by directory').waitFor();
    await row(ada).getByText('Never signed in').waitFor();
    await row(grace).getByText('suspended', { exact: true }).waitFor();
    expect(await row(ada).getByText('suspended', { exact: true }).count()).toBe(0);
    const owner = row(organization.owner.person.email);
    await owner.getByText(/ · active /).waitFor();
    expect(await owner.getByText('by directory').count()).toBe(0);
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
    await row(person.email).getByText('suspended', { exact: true }).waitFor();
    expect(await readAs(token)).toBe(401);
    await choose('Restore');
    await visitor.reads('Ada has access again.');
    await row(person.email).getByText('suspended', { exact: true }).waitFor({ state: 'detached' });
    expect(await readAs(await person.select(organization.id))).toBe(200);
  });
});
