import { exportJWK, generateKeyPair } from 'jose';
import { CHROMIUM } from '../support/chromium.js';
import { Organization } from '../support/organization.js';
import { withPortal, withVisitor } from '../support/portal.js';
import { eventually, itemsOf } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const ME = '/api/v1/iam/me';

describeWith([CHROMIUM], 'Keys at the portal', () => {
  let organization: Organization;
  const { app, portal } = withPortal();
  const visitor = withVisitor(portal);
  beforeEach(async () => {
    organization = await Organization.found(app);
  });

  const shownKey = async (): Promise<string> =>
    (await visitor.page.getByLabel('Key', { exact: true }).textContent()) ?? '';
  const statusOf = async (key: string) => (await app.get(ME, key)).status;

  it('of a person are created, shown once, marked when unused, and revoked', async () => {
    await visitor.page.setViewportSize({ width: 640, height: 360 }); // of a window enlarged to 200 %
    await visitor.goto('/account/keys');
    await visitor.signIn(organization.owner.person);
    await visitor.reads('No key yet');
    await visitor.press('New key');
    await visitor.fill('Name', 'Laptop');
    await visitor.press('Create key');
    await visitor.reads('It is not shown again.');
    const key = await shownKey();
    expect([key.slice(0, 6), await statusOf(key)]).toEqual(['gh_me_', 200]);
    await visitor.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await visitor.press('Copy: Key');
    await visitor.reads('Copied.');
    const [message, button] = await Promise.all(
      [
        visitor.page.locator('.toasts > p'),
        visitor.page.getByRole('button', { name: 'I have stored it' }),
      ].map((one) => one.boundingBox()),
    );
    expect((message?.y ?? 0) + (message?.height ?? 0)).toBeLessThan(button?.y ?? 0);
    expect(await visitor.page.evaluate('navigator.clipboard.readText()')).toBe(key);
    await visitor.press('I have stored it');
    await visitor.reads('Laptop');
    expect(await visitor.page.content()).not.toContain(key.slice(17));
    await eventually('the use is noted', async () => {
      const noted = await app.sql('SELECT 1 FROM machine_credentials WHERE last_used_at IS NOT NULL');
      return noted.length > 0;
    });
    await app.sql(
      "UPDATE machine_credentials SET created_at = now() - interval '91 days', last_used_at = now() - interval '91 days'",
    );
    await visitor.page.reload();
    await visitor.reads('Unused for 90 days');
    await visitor.press('Revoke Laptop');
    await visitor.press('Revoke');
    await visitor.reads('No key yet');
    expect(await statusOf(key)).toBe(401);
  });

  it('of a service account are created with it, and refused while it is disabled', async () => {
    await visitor.goto(`/organizations/${organization.id}/service-accounts`);
    await visitor.signIn(organization.owner.person);
    await visitor.reads('No service account yet');
    await visitor.reads('Create one for each program that uses the API');
    await visitor.press('New service account');
    await visitor.fill('Name', 'Export');
    await visitor.press('Create service account');
    await visitor.press('Export');
    await visitor.reads('No key yet');
    expect(await visitor.page.locator('dt:text-is("Roles") + dd').innerText()).toBe('Member');
    await visitor.press('New key');
    await visitor.fill('Name', 'Nightly');
    await visitor.fill('Networks', '127.0.0.1, ::1/128');
    await visitor.press('Create key');
    await visitor.reads('It is not shown again.');
    const key = await shownKey();
    await visitor.press('I have stored it');
    await visitor.reads('Only from 127.0.0.1, ::1/128');
    expect(await statusOf(key)).toBe(200);
    await visitor.press('New key');
    await visitor.fill('Name', 'Weekly');
    await visitor.press('Create key');
    await visitor.press('I have stored it');
    expect(await visitor.page.content()).not.toContain('Revoked keys');
    await visitor.press('Revoke Weekly');
    await visitor.press('Revoke');
    await visitor.page.getByText('Revoked keys').click();
    await visitor.reads('revoked by Ada');
    await visitor.press('All service accounts');
    await visitor.press('Actions for Export');
    await visitor.page.getByRole('menuitem', { name: 'Disable' }).click();
    await visitor.press('Disable');
    await visitor.reads('Service account Export disabled.');
    expect(await statusOf(key)).toBe(401);
  });

  it('are joined by secrets, public keys and workloads of a service account', async () => {
    const { body } = await organization.call('POST', '/service-accounts', {
      name: 'Export',
      roles: ['member'],
    });
    const id = String(body['id']);
    await visitor.goto(`/organizations/${organization.id}/service-accounts/${id}`);
    await visitor.signIn(organization.owner.person);
    await visitor.press('Edit');
    await visitor.fill('Description', 'Sends the stock each night.');
    await visitor.fill('Contact', 'warehouse@example.com');
    await visitor.page.getByRole('dialog').getByText('Admin', { exact: true }).click();
    await visitor.press('Save');
    await visitor.reads('Sends the stock each night.');
    expect((await organization.call('GET', `/service-accounts/${id}`)).body).toMatchObject({
      description: 'Sends the stock each night.',
      contact: 'warehouse@example.com',
      roles: ['admin', 'member'],
    });
    const expiresAt = new Date(Date.now() + 5 * 86_400_000).toISOString();
    const limited = { name: 'Carrier', expiresAt, networks: ['203.0.113.0/24'] };
    await organization.call('POST', `/service-accounts/${id}/keys`, limited);
    await visitor.page.reload();
    await visitor.reads('ends in 5 days');
    await visitor.reads('Only from 203.0.113.0/24');
    await visitor.press('New credential');
    await visitor.fill('Name', 'Nightly');
    await visitor.page.getByRole('button', { name: 'Valid for' }).click();
    await visitor.page.getByRole('option', { name: '30 days' }).click();
    await visitor.press('Create credential');
    await visitor.reads('Store the secret in your program now.');
    const secret = (await visitor.page.getByLabel('Secret', { exact: true }).textContent()) ?? '';
    await visitor.press('I have stored it');
    const ask = async () => {
      const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
      return (await fetch(`${app.url}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) }))
        .status;
    };
    expect(await ask()).toBe(200);
    const [row] = await app.sql(
      "SELECT round(extract(epoch FROM expires_at - created_at) / 86400)::int AS days FROM machine_credentials WHERE owner_id = $1 AND kind = 'secret'",
      [id],
    );
    expect(row).toEqual({ days: 30 });
    await visitor.reads('valid until');
    await app.sql(
      "UPDATE machine_credentials SET expires_at = now() - interval '1 s' WHERE owner_id = $1 AND kind = 'secret'",
      [id],
    );
    await visitor.page.reload();
    await visitor.reads('Expired');
    await visitor.press('Remove Nightly');
    await visitor.press('Remove');
    await visitor.reads('Credential Nightly removed.');
    expect(await ask()).toBe(401);

    await visitor.press('New credential');
    await visitor.fill('Name', 'Build');
    await visitor.page.getByRole('button', { name: 'How it authenticates' }).click();
    await visitor.page.getByRole('option', { name: 'Public key (JWK)' }).click();
    await visitor.fill('JSON Web Key', 'no key');
    await visitor.press('Create credential');
    await visitor.reads('This is no JSON object.');
    const { publicKey } = await generateKeyPair('ES256', { extractable: true });
    await visitor.fill('JSON Web Key', JSON.stringify(await exportJWK(publicKey)));
    await visitor.press('Create credential');
    await visitor.reads('Credential Build created.');

    await visitor.press('New rule');
    await visitor.fill('Conditions', 'repository');
    await visitor.press('Create rule');
    await visitor.reads('Write a claim, = and a value on each line.');
    await visitor.fill('Conditions', 'repository = octo-org/octo-repo\nref = refs/heads/main');
    await visitor.press('Create rule');
    await visitor.reads('ref = refs/heads/main');
    const rules = itemsOf<object>(await organization.call('GET', `/service-accounts/${id}/trust-rules`));
    expect(rules).toMatchObject([
      {
        issuer: 'https://token.actions.githubusercontent.com',
        conditions: { repository: 'octo-org/octo-repo', ref: 'refs/heads/main' },
      },
    ]);
    await visitor.press('Remove the rule of https://token.actions.githubusercontent.com');
    await visitor.press('Remove');
    await visitor.reads('No workload is trusted');
  });

  it('of a service account are marked by what ends, and changed by who may', async () => {
    const { body } = await organization.call('POST', '/service-accounts', {
      name: 'Export',
      roles: ['member'],
    });
    const path = `/service-accounts/${String(body['id'])}`;
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    for (const [name, days] of [
      ['Ends', 14],
      ['Lasts', 15.5],
      ['Past', 30],
    ] as const)
      await organization.call('POST', `${path}/keys`, { name, expiresAt: inDays(days) });
    await app.sql(
      `UPDATE machine_credentials SET expires_at = now() - interval '1 s', created_at = now() - interval '91 days'
       WHERE owner_id = $1 AND name = 'Past'`,
      [body['id']],
    );
    const marks = ['Expired', 'ends in', 'Unused', 'Only from'];
    const marksOf = async (name: string) => {
      const row = visitor.page.getByRole('listitem').filter({ hasText: name });
      const text = await row.innerText();
      return marks.filter((mark) => text.includes(mark));
    };
    const facts = () => visitor.page.locator('dl.facts').first().innerText();
    await visitor.goto(`/organizations/${organization.id}${path}`);
    await visitor.signIn(organization.owner.person);
    await visitor.reads('Lasts');
    expect(await marksOf('Ends')).toEqual(['ends in']);
    expect(await marksOf('Lasts')).toEqual([]);
    expect(await marksOf('Past')).toEqual(['Expired']);
    for (const shown of ['Disabled', 'Description', 'Contact']) expect(await facts()).not.toContain(shown);
    await visitor.press('Edit');
    await visitor.page.getByRole('dialog').getByText('Admin', { exact: true }).waitFor();
    expect(await visitor.page.getByRole('dialog').getByText('Owner', { exact: true }).count()).toBe(0);
    await organization.call('POST', `${path}/disable`);
    await visitor.page.reload();
    await visitor.reads('Disabled');
    expect(await facts()).toContain('Disabled');

    const scopes = ['iam:service-account:read', 'iam:api-key:read', 'iam:trust-rule:read'];
    await organization.call('POST', '/roles', { key: 'auditor', name: 'Auditor', scopes });
    const { person } = await organization.join('auditor');
    const auditor = await portal.visitor();
    await auditor.goto(`/organizations/${organization.id}${path}`);
    await auditor.signIn(person);
    await auditor.reads('Lasts');
    for (const name of ['Edit', 'New key', 'New credential', 'New rule'])
      expect([name, await auditor.page.getByRole('button', { name }).count()]).toEqual([name, 0]);
  });

  it('follow the rules that the organization sets', async () => {
    await visitor.goto(`/organizations/${organization.id}/service-accounts`);
    await visitor.signIn(organization.owner.person);
    await visitor.fill('Longest lifetime in days', '30');
    await visitor.page.getByText('Members may have keys of their own').click();
    await visitor.press('Save rules');
    await visitor.reads('Rules for keys saved.');
    expect((await organization.call('GET', '/key-policy')).body).toEqual({
      personalKeys: false,
      maxLifetimeDays: 30,
    });
  });
});
