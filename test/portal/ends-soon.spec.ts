import { CHROMIUM } from '../support/chromium.js';
import { Organization } from '../support/organization.js';
import { withPortal } from '../support/portal.js';
import { describeWith } from '../support/tools.js';

const DAY_MS = 24 * 3_600_000;

describeWith([CHROMIUM], 'What ends soon, at the portal', () => {
  const { app, portal } = withPortal();

  it('is listed above the members: memberships, roles and roles on things of the next week', async () => {
    const organization = await Organization.found(app);
    const [temp, keeper] = [await organization.join('member'), await organization.join('member')];
    const until = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
    const on = 'gatehouse:///freight/depots/01K3V9D7Q8Z4X5N6M7P8R9S0T5';
    await organization.call('PATCH', `/members/${temp.person.id}`, { until: until(2) });
    await organization.call('POST', `/members/${keeper.person.id}/assignments`, {
      role: 'member',
      on,
      until: until(3),
    });
    const visitor = await portal.visitor();
    await visitor.goto(`/organizations/${organization.id}/members`);
    await visitor.signIn(organization.owner.person);
    await visitor.reads('Ends soon');
    const items = await visitor.page.getByRole('list', { name: 'Ends soon' }).getByRole('listitem').all();
    const texts = await Promise.all(items.map((item) => item.innerText()));
    expect(texts).toHaveLength(2);
    expect(texts[0]).toContain('Membership');
    expect(texts[1]).toContain(on);
  });

  it('names partnerships of either side, on the overview', async () => {
    const [host, partner] = [await Organization.found(app), await Organization.found(app)];
    await partner.call('PATCH', '', { name: 'Bolt Carriers' });
    const { email } = partner.owner.person;
    const until = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
    for (const [end, isAccepted] of [
      [until(2), true],
      [until(3), false],
    ] as const) {
      const offer = { email, roles: ['member'], until: end };
      const { body } = await host.call('POST', '/partnerships', offer);
      const path = `/partner-access/${String(body['id'])}/accept`;
      if (isAccepted) expect((await partner.call('POST', path)).status).toBe(200);
    }
    for (const [organization, other] of [
      [host, 'Bolt Carriers'],
      [partner, 'Lovelace Logistics'],
    ] as const) {
      const visitor = await portal.visitor();
      await visitor.goto(`/organizations/${organization.id}`);
      await visitor.signIn(organization.owner.person);
      await visitor.reads('Ends soon');
      const items = await visitor.page.getByRole('list', { name: 'Ends soon' }).getByRole('listitem').all();
      const texts = await Promise.all(items.map((item) => item.innerText()));
      expect(texts).toHaveLength(1);
      expect(texts[0]).toContain(other);
      expect(texts[0]).toContain('Partnership');
    }
  });

  it('is not shown where nothing ends', async () => {
    const organization = await Organization.found(app);
    const visitor = await portal.visitor();
    await visitor.goto(`/organizations/${organization.id}/members`);
    await visitor.signIn(organization.owner.person);
    await visitor.reads(organization.owner.person.email);
    expect(await visitor.page.getByText('Ends soon').count()).toBe(0);
  });
});
