import { CHROMIUM } from '../support/chromium.js';
import { Organization } from '../support/organization.js';
import { PortalBrowser, startPortal, type Visitor } from '../support/portal.js';
import type { TestApp } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

describeWith([CHROMIUM], 'Partners, at the portal', () => {
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

  const dialog = (name: string) =>
    visitor.page.getByRole('dialog', { name }).or(visitor.page.getByRole('alertdialog', { name }));

  it('are offered access by the host', async () => {
    const host = await Organization.found(app);
    await visitor.goto(`/organizations/${host.id}/partners`);
    await visitor.signIn(host.owner.person);
    await visitor.reads('No partners yet');
    await visitor.press('Offer a partnership');
    const form = dialog('Offer a partnership');
    await form.getByRole('textbox', { name: /^Email address/ }).fill('grace@carrier.example');
    await form.getByRole('checkbox', { name: 'Member' }).check({ force: true });
    await form.getByRole('button', { name: 'Offer a partnership' }).click();
    await visitor.reads('The offer is open for 14 days.');
    await visitor.reads('grace@carrier.example');
  });

  it('accept, choose who works there, and leave', async () => {
    const [host, partner] = [await Organization.found(app), await Organization.found(app)];
    await partner.call('PATCH', '', { name: 'Bolt Carriers' });
    const { email } = partner.owner.person;
    const { body } = await host.call('POST', '/partnerships', { email, roles: ['member'] });
    await visitor.goto(`/organizations/${partner.id}/partners`);
    await visitor.signIn(partner.owner.person);
    await visitor.press('Actions for Lovelace Logistics');
    await visitor.page.getByRole('menuitem', { name: 'Accept' }).click();
    await dialog('Become a partner of Lovelace Logistics?').getByRole('button', { name: 'Accept' }).click();
    await visitor.reads('You are a partner of Lovelace Logistics. Choose who works there.');
    expect((await host.call('GET', `/partnerships/${String(body['id'])}`)).body).toMatchObject({
      status: 'active',
      partner: { name: 'Bolt Carriers' },
    });
    const path = `/partner-access/${String(body['id'])}/people/${partner.owner.person.id}`;
    expect((await partner.call('PUT', path, { roles: ['member'] })).status).toBe(200);
    await visitor.goto('/organizations');
    await visitor.reads('As a partner');
    await visitor.goto(`/organizations/${partner.id}/partners`);
    await visitor.press('Actions for Lovelace Logistics');
    await visitor.page.getByRole('menuitem', { name: 'Leave the partnership' }).click();
    await dialog('Leave the partnership with Lovelace Logistics?')
      .getByRole('button', { name: 'Leave the partnership' })
      .click();
    await visitor.reads('The partnership with Lovelace Logistics is over.');
  });
});
