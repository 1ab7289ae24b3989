import { ulid } from 'ulid';
import { CHROMIUM } from '../support/chromium.js';
import { Organization } from '../support/organization.js';
import { withPortal, withVisitor } from '../support/portal.js';
import { itemsOf } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

describeWith([CHROMIUM], 'Partners, at the portal', () => {
  const { app, portal } = withPortal();
  const visitor = withVisitor(portal);

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

  it('see that an offer has expired once its maker could not make it, as the host does', async () => {
    const [host, partner] = [await Organization.found(app), await Organization.found(app)];
    const scopes = ['iam:tenant:read', 'iam:partnership:create', 'iam:partnership:read'];
    await host.call('POST', '/roles', { key: 'maker', name: 'Maker', scopes });
    const maker = await host.join('maker', 'member');
    const { email } = partner.owner.person;
    const offer = { email, roles: ['member'] };
    expect((await host.call('POST', '/partnerships', offer, maker.token)).status).toBe(201);
    await host.call('DELETE', `/members/${maker.person.id}`);
    for (const [organization, other, list, refused] of [
      [host, email, 'Partners that work here', 'The partnership is over. Offer a new one.'],
      [partner, 'Lovelace Logistics', 'Where your people work as partners', 'The offer is no longer open.'],
    ] as const) {
      const one = await portal.visitor();
      await one.goto(`/organizations/${organization.id}/partners`);
      await one.signIn(organization.owner.person);
      const table = one.page.getByRole('table', { name: list });
      await table.getByText('Expired', { exact: true }).waitFor();
      await one.press(`Actions for ${other}`);
      await one.page.getByText(refused).first().waitFor();
    }
  });

  const newThing = () => `gatehouse:///freight/depots/${ulid()}`;
  const act = async (name: string, item: string) => {
    await visitor.press(`Actions for ${name}`);
    await visitor.page.getByRole('menuitem', { name: item, exact: true }).click();
  };

  it('are offered access on some things and until a day, which the host changes', async () => {
    const host = await Organization.found(app);
    const [one, other] = [newThing(), newThing()];
    const offered = async () => {
      const [found] = itemsOf<{ on: string[] | null; until: string | null; maxPeople: number | null }>(
        await host.call('GET', '/partnerships'),
      );
      return [found?.on, found?.until, found?.maxPeople];
    };
    await visitor.goto(`/organizations/${host.id}/partners`);
    await visitor.signIn(host.owner.person);
    await visitor.press('Offer a partnership');
    const form = dialog('Offer a partnership');
    await form.getByRole('textbox', { name: /^Email address/ }).fill('grace@carrier.example');
    await form.getByRole('checkbox', { name: 'Member' }).check({ force: true });
    await form.getByRole('textbox', { name: /^Only on these things/ }).fill(`${one}\n${other}\n`);
    await form.getByLabel(/^Last day/).fill('2020-01-01');
    await form.getByRole('button', { name: 'Offer a partnership' }).click();
    await form.getByText(/future/).waitFor();
    await form.getByLabel(/^Last day/).fill('2099-12-30');
    await form.getByRole('button', { name: 'Offer a partnership' }).click();
    await visitor.reads('2 things');
    const [on, until] = await offered();
    expect(on).toEqual([one, other]);
    expect(String(until)).toMatch(/^2099-12-3/);

    await act('grace@carrier.example', 'Edit');
    const change = dialog('Edit the partnership with grace@carrier.example');
    await change.getByRole('textbox', { name: /^Only on these things/ }).fill(other);
    await change.getByRole('textbox', { name: /^Number of people/ }).fill('3');
    await change.getByRole('button', { name: 'Save' }).click();
    await visitor.reads('The partnership with grace@carrier.example is changed.');
    expect(await offered()).toEqual([[other], until, 3]);

    await act('grace@carrier.example', 'Edit');
    await change.getByRole('textbox', { name: /^Only on these things/ }).fill('');
    await change.getByLabel(/^Last day/).fill('');
    await change.getByRole('textbox', { name: /^Number of people/ }).fill('');
    await change.getByRole('button', { name: 'Save' }).click();
    await change.waitFor({ state: 'detached' });
    expect(await offered()).toEqual([null, null, null]);
  });

  it('give their people some of the things, until a day, and change it', async () => {
    const [host, partner] = [await Organization.found(app), await Organization.found(app)];
    const [one, other] = [newThing(), newThing()];
    const { email } = partner.owner.person;
    const offer = { email, roles: ['member'], on: [one, other] };
    const id = String((await host.call('POST', '/partnerships', offer)).body['id']);
    await partner.call('POST', `/partner-access/${id}/accept`);
    const { person } = await partner.join('member');
    const placed = async () => {
      const { body } = await partner.call('GET', `/partner-access/${id}`);
      const [found] = body['people'] as unknown as { userId: string; on: string[]; until: string | null }[];
      return [found?.userId, found?.on, found?.until];
    };
    await visitor.goto(`/organizations/${partner.id}/partners`);
    await visitor.signIn(partner.owner.person);
    await act('Lovelace Logistics', 'People');
    const people = dialog('Who works in Lovelace Logistics');
    await people.getByRole('button', { name: /Member$/ }).click();
    await visitor.page.getByRole('option').last().click();
    await people.getByRole('checkbox', { name: 'Member' }).check({ force: true });
    await people.getByRole('checkbox', { name: one }).check({ force: true });
    await people.getByLabel(/^Last day/).fill('2099-12-30');
    await people.getByRole('button', { name: 'Let them work there' }).click();
    await people.getByText(/1 thing · until/).waitFor();
    const [userId, on, until] = await placed();
    expect([userId, on]).toEqual([person.id, [one]]);
    expect(String(until)).toMatch(/^2099-12-3/);

    await people.getByRole('button', { name: 'Edit' }).click();
    await people.getByRole('checkbox', { name: other }).check({ force: true });
    await people.getByRole('button', { name: 'Save' }).click();
    await people.getByText(/2 things · until/).waitFor();
    expect(await placed()).toEqual([person.id, [one, other], until]);
    // All of them: what the host offers later too.
    const third = newThing();
    await host.call('PATCH', `/partnerships/${id}`, { on: [one, other, third] });
    expect(await placed()).toEqual([person.id, [one, other, third], until]);
  });
});
