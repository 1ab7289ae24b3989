import { ulid } from 'ulid';
import { CHROMIUM } from '../support/chromium.js';
import { Organization } from '../support/organization.js';
import { withPortal } from '../support/portal.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

describeWith([CHROMIUM], 'Agents of an organization at the portal', () => {
  const { app, portal } = withPortal();

  it('are allowed with scopes, listed with their host, and ended for all members', async () => {
    const acme = await Organization.found(app);
    const orders = { identifier: 'https://orders.example/api', name: 'Orders' };
    const scopes = [
      { name: 'read', title: 'Read orders' },
      { name: 'write', title: 'Change orders' },
    ];
    const { body: api } = await acme.call('POST', '/apis', { ...orders, scopes });
    const visitor = await portal.visitor();
    await visitor.goto(`/organizations/${acme.id}/agents`);
    await visitor.signIn(acme.owner.person);
    await visitor.sees('Agents');
    await visitor.reads('No agent acts here');
    await visitor.page.getByRole('button', { name: /^None/ }).click();
    await visitor.page.getByRole('option', { name: 'The listed ones' }).click();
    await visitor.fill('Addresses', 'https://agent.example');
    await visitor.page.getByText('Read orders').click();
    await visitor.press('Save');
    await visitor.reads('The allowed agents are saved.');
    expect((await acme.call('GET', '/agent-policy')).body).toEqual({
      clients: 'listed',
      listed: ['https://agent.example'],
      scopes: [`${String(api['id'])}/read`],
      maxDays: null,
    });

    const clientId = 'https://agent.example/client.json';
    await app.sql(
      "INSERT INTO satellites (id, client_id, name, redirect_uris, secret_hash, document_fetched_at) VALUES ($1, $2, 'Helper', '{}', '', now())",
      [ulid(), clientId],
    );
    await app.sql(
      "INSERT INTO grants (id, session_id, account_id, client_id, tenant_id, granted_scopes, idle_expires_at) VALUES ($1, $2, $3, $4, $5, $6, now() + interval '1 day')",
      [
        ulid(),
        acme.owner.person.sessionId,
        acme.owner.person.id,
        clientId,
        acme.id,
        [`${String(api['id'])}/`, `${String(api['id'])}/read`],
      ],
    );
    await visitor.page.reload();
    const row = visitor.page.getByRole('row').filter({ hasText: 'Helper' });
    await row.waitFor();
    expect(await row.getByRole('cell').allInnerTexts()).toEqual([
      'Helper',
      'agent.example',
      '1',
      '1 permission',
      expect.stringMatching(/now|ago/),
      '',
    ]);
    await visitor.press('1 permission');
    const permissions = visitor.page.getByRole('dialog', { name: 'Permissions of Helper' });
    await permissions.getByText('Read orders').waitFor();
    await permissions.getByRole('button', { name: 'Close' }).click();
    await visitor.choose('Actions for Helper', 'End');
    await visitor.reads('End Helper for all members?');
    await visitor.press('End');
    await visitor.reads('Helper has ended.');
    await eventually('its grant has ended', async () => {
      const [grant] = await app.sql('SELECT ended_at FROM grants WHERE client_id = $1', [clientId]);
      return grant?.['ended_at'] !== null;
    });
    // A policy with an address that is none is told at its field.
    await visitor.fill('Addresses', 'agent.example');
    await visitor.press('Save');
    await visitor.reads(/must be an https address/i);
  });
});
