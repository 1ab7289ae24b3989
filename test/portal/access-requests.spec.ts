import { CHROMIUM } from '../support/chromium.js';
import { type Member, Organization } from '../support/organization.js';
import { withPortal, withVisitor } from '../support/portal.js';
import { eventually, itemsOf } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

describeWith([CHROMIUM], 'Requests for access, at the portal', () => {
  let organization: Organization;
  let member: Member;
  const { app, portal } = withPortal();
  const visitor = withVisitor(portal);
  beforeEach(async () => {
    organization = await Organization.found(app);
    await organization.call('POST', '/roles', {
      key: 'reader',
      name: 'Reader',
      scopes: ['iam:invitation:read'],
    });
    member = await organization.join('member');
  });

  const statuses = async () =>
    itemsOf<{ status: string }>(await organization.call('GET', '/access-requests')).map(
      ({ status }) => status,
    );
  const ask = async () => {
    const request = { role: 'reader', hours: 2, reason: 'Ticket 4711' };
    const { body } = await organization.call('POST', '/access-requests', request, member.token);
    return String(body['id']);
  };

  it('are made with a reason, and withdrawn', async () => {
    await visitor.goto(`/organizations/${organization.id}/access-requests`);
    await visitor.signIn(member.person);
    await visitor.reads('No requests');
    await visitor.press('Ask for access');
    const thing = 'gatehouse:///freight/depots/01K3V9D7Q8Z4X5N6M7P8R9S0T5';
    await visitor.page.getByRole('combobox', { name: /^Thing/ }).fill(thing);
    await visitor.fill('Reason', 'Ticket 4711');
    await visitor.press('Ask');
    await visitor.reads('Ticket 4711');
    await visitor.reads(thing);
    expect(await statuses()).toEqual(['pending']);
    await visitor.page.getByRole('button', { name: /^Withdraw the request of/ }).click();
    await visitor.reads('The request is withdrawn.');
    expect(await statuses()).toEqual(['withdrawn']);
  });

  it('are approved by one click on the page of the mail, and not by opening it', async () => {
    const id = await ask();
    await visitor.goto(`/organizations/${organization.id}/access-requests/${id}`);
    await visitor.signIn(organization.owner.person);
    await visitor.reads('Ticket 4711');
    expect(await statuses()).toEqual(['pending']);
    await visitor.page.getByRole('button', { name: /^Approve the request of/ }).click();
    await visitor.reads('The request is approved.');
    await eventually('it is approved', async () => (await statuses()).join() === 'approved');
  });

  it('are denied in the list', async () => {
    await ask();
    await visitor.goto(`/organizations/${organization.id}/access-requests`);
    await visitor.signIn(organization.owner.person);
    await visitor.page.getByRole('button', { name: /^Deny the request of/ }).click();
    await visitor.reads('The request is denied.');
    expect(await statuses()).toEqual(['denied']);
  });
});
