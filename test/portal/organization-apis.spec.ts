import { CHROMIUM } from '../support/chromium.js';
import { Organization } from '../support/organization.js';
import { withPortal, withVisitor } from '../support/portal.js';
import { describeWith } from '../support/tools.js';

const IDENTIFIER = 'https://orders.example.com/api';

describeWith([CHROMIUM], 'APIs of an organization at the portal', () => {
  let organization: Organization;
  const { app, portal } = withPortal();
  const visitor = withVisitor(portal);
  beforeAll(async () => {
    organization = await Organization.found(app);
  });

  const apis = async () =>
    (await organization.call('GET', '/apis')).body['items'] as unknown as Record<string, unknown>[];

  it('are registered, changed, reached by apps, given a credential once, and deleted', async () => {
    await visitor.goto(`/organizations/${organization.id}/apis`);
    await visitor.signIn(organization.owner.person);
    await visitor.reads('No API yet');
    await visitor.press('New API');
    await visitor.fill('Identifier', 'http://orders.example.com');
    await visitor.fill('Name', 'Orders');
    await visitor.fill('Scopes', 'orders:read Read orders\n\norders:pay Pay orders');
    await visitor.press('Register API');
    await visitor.page.locator('[aria-invalid=true]').first().waitFor();
    await visitor.fill('Identifier', IDENTIFIER);
    await visitor.press('Register API');
    await visitor.reads('orders:read, orders:pay');
    const [api] = await apis();
    expect(api).toMatchObject({
      identifier: IDENTIFIER,
      name: 'Orders',
      scopes: [
        { name: 'orders:read', title: 'Read orders' },
        { name: 'orders:pay', title: 'Pay orders' },
      ],
    });

    // What the form does not show stays.
    const scopes = [{ name: 'orders:read', title: 'Read orders', maxAge: 900, roles: ['admin'] }];
    await organization.call('PATCH', `/apis/${String(api?.['id'])}`, { scopes });
    await visitor.page.reload();
    await visitor.choose('Actions for Orders', 'Edit API');
    await visitor.fill('Scopes', 'orders:read See orders');
    await visitor.press('Save');
    await visitor.reads('API Orders changed.');
    expect((await apis())[0]).toMatchObject({ scopes: [{ ...scopes[0], title: 'See orders' }] });

    await visitor.choose('Actions for Orders', 'Apps that reach it');
    await visitor.reads('Your organization has no apps yet.');
    await visitor.page.keyboard.press('Escape');
    const redirectUris = ['https://app.example.com/callback'];
    const { body: client } = await organization.call('POST', '/clients', { name: 'Till', redirectUris });
    await visitor.page.reload();
    await visitor.choose('Actions for Orders', 'Apps that reach it');
    await visitor.page.getByRole('checkbox', { name: /See orders/ }).check({ force: true });
    await visitor.press('Save');
    await visitor.reads('Access to Orders changed.');
    const path = `/clients/${String(client['clientId'])}/apis`;
    expect((await organization.call('GET', path)).body).toMatchObject({
      items: [{ scopes: ['orders:read'] }],
    });

    await visitor.choose('Actions for Orders', 'Create credential');
    await visitor.press('Create credential');
    await visitor.reads('The secret is not shown again.');
    const secret = await visitor.page.getByRole('group', { name: 'Secret', exact: true }).textContent();
    expect(secret).toMatch(/^ghs_/);
    await visitor.press('I have stored it');
    expect(await visitor.page.content()).not.toContain(secret);
    await visitor.choose('Actions for Orders', 'Delete');
    await visitor.press('Delete');
    await visitor.reads('No API yet');
  });

  it('are for members who may manage them', async () => {
    const { person } = await organization.join('member');
    await visitor.goto(`/organizations/${organization.id}/members`);
    await visitor.signIn(person);
    await visitor.sees('Members');
    await visitor.page.getByRole('link', { name: 'Roles' }).first().waitFor();
    expect(await visitor.page.getByRole('link', { name: 'APIs', exact: true }).count()).toBe(0);
  });
});
