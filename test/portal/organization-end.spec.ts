import { CHROMIUM } from '../support/chromium.js';
import { Organization } from '../support/organization.js';
import { withPortal, withVisitor } from '../support/portal.js';
import { describeWith } from '../support/tools.js';

describeWith([CHROMIUM], 'The settings of an organization, at the portal', () => {
  let organization: Organization;
  const { app, portal } = withPortal();
  const visitor = withVisitor(portal);
  beforeEach(async () => {
    organization = await Organization.found(app);
  });

  const open = async (): Promise<void> => {
    await visitor.goto(`/organizations/${organization.id}/settings`);
    await visitor.signIn(organization.owner.person);
    await visitor.sees('Settings');
  };
  const submit = () => visitor.page.getByRole('button', { name: 'Schedule deletion' });

  it('delete an archived organization after its name is typed, and cancel', async () => {
    await organization.call('POST', '/archive');
    await open();
    await visitor.reads('Members: 1');
    await visitor.press('Delete organization');
    await visitor.reads('It is deleted after 7 days.');
    await visitor.fill('Type Lovelace Logistics to confirm', 'lovelace');
    expect(await submit().isDisabled()).toBe(true);
    await visitor.fill('Type Lovelace Logistics to confirm', 'Lovelace Logistics');
    await submit().click();
    await visitor.reads('This organization will be deleted');
    const { body } = await organization.call('GET', '/deletion');
    expect(body['deletesAt']).not.toBeNull();
    await visitor.press('Cancel deletion');
    await visitor.page.getByRole('button', { name: 'Delete organization' }).waitFor();
    expect((await organization.call('GET', '/deletion')).body['deletesAt']).toBeNull();
  });

  it('name all that a deletion removes, without what there is not', async () => {
    await organization.call('POST', '/archive');
    const kinds: string[] = [];
    await visitor.page.route('**/deletion', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { contents: { kind: string; count: number }[] };
      kinds.push(...body.contents.map(({ kind }) => kind));
      const contents = body.contents.map(({ kind }, n) => ({ kind, count: n === 0 ? 0 : 2 }));
      await route.fulfill({ response, json: { ...body, contents } });
    });
    await open();
    const items = visitor.page.getByRole('region', { name: 'Delete', exact: true }).getByRole('listitem');
    await items.first().waitFor();
    const shown = await items.allInnerTexts();
    expect(kinds.length).toBeGreaterThan(8);
    expect(shown).toHaveLength(kinds.length - 1);
    expect(shown.filter((item) => kinds.some((kind) => item.startsWith(kind)))).toEqual([]);
  });

  it('transfer the ownership to a member that is found by search', async () => {
    const { person } = await organization.join('member');
    await organization.join('member');
    await open();
    await visitor.press('Transfer ownership');
    await visitor.fill('Search members', person.email);
    await visitor.page.getByRole('button', { name: new RegExp(person.email) }).waitFor();
    await visitor.press('Transfer');
    await visitor.reads('is an owner now.');
    await visitor.reads('You are a member here');
    const { body } = await app.get('/api/v1/iam/me/tenants', person.token);
    expect(body).toMatchObject({ items: [{ roles: ['member', 'owner'] }] });
  });

  it('show a member who could, and no refusals', async () => {
    const { person } = await organization.join('member');
    await visitor.goto(`/organizations/${organization.id}/settings`);
    await visitor.signIn(person);
    await visitor.sees('Settings');
    await visitor.reads(
      /^Changing these settings needs the permission “.+” \(iam:tenant:update\)\. Ask an owner: /,
    );
    expect(await visitor.page.getByRole('button', { name: 'Transfer ownership' }).count()).toBe(0);
    expect(await visitor.page.getByText('Your roles do not include this permission.').count()).toBe(0);
    await visitor.goto(`/organizations/${organization.id}/service-accounts`);
    await visitor.sees('You cannot see this page');
    await visitor.reads(
      /You need the permission “.+” \(iam:service-account:read\) to see this\. Ask an owner/,
    );
  });
});
