import { OperatorService } from '../../src/iam/index.js';
import { CHROMIUM } from '../support/chromium.js';
import { TestTotp } from '../support/factors.js';
import { Organization, Person } from '../support/organization.js';
import { actAs } from '../support/portal-operator.js';
import { withPortal, type Visitor } from '../support/portal.js';
import { RelyingParty } from '../support/relying-party.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

jest.setTimeout(120_000); // a sign-in by two factors and several pages, on a busy machine

const REASON = 'Ticket 4711: since this morning the list of orders is empty, and the customer waits for it.';

describeWith([CHROMIUM], 'The console of operators, at the portal', () => {
  let visitor: Visitor;
  const { app, portal } = withPortal();
  beforeEach(async () => {
    visitor = await portal.visitor();
  });

  /** Signs an operator in by two factors, at a page of the console. */
  const enter = async (path: string): Promise<Person> => {
    const person = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(person.email, 'admin');
    const totp = await TestTotp.enrol(app, person.token);
    await visitor.goto(path);
    await visitor.signIn(person);
    await visitor.fill('Code', totp.next());
    await visitor.press('Confirm');
    return person;
  };
  const statusOf = async ({ id }: Person) =>
    (await app.sql<{ at: Date | null }>('SELECT suspended_at AS at FROM accounts WHERE id = $1', [id]))[0];

  it('finds a person and does for them what was confirmed', async () => {
    const person = await Person.signUp(app);
    await enter('/operator/people');
    await visitor.sees('People');
    const results = visitor.page.getByRole('status');
    await visitor.fill('Search by name, email, @domain or id', 'unknown@example.com');
    await results.getByText('No person found').waitFor();
    await visitor.fill('Search by name, email, @domain or id', person.email);
    await results.getByText('1 shown').waitFor();
    await visitor.page.getByRole('row', { name: person.email }).getByRole('link').click();
    await visitor.sees('Ada');
    await visitor.reads('Recent events');
    await visitor.choose('Actions for this person', 'Suspend');
    await visitor.page.getByRole('alertdialog').getByRole('button', { name: 'Suspend', exact: true }).click();
    await visitor.reads(/^Suspended /);
    expect((await statusOf(person))?.at).not.toBeNull();
    await visitor.choose('Actions for this person', 'Erase the account');
    await visitor.fill(`Type ${person.email} to confirm`, person.email);
    await visitor.page.getByRole('alertdialog').getByRole('button', { name: 'Erase the account' }).click();
    await visitor.sees('People');
    expect(await app.sql('SELECT 1 FROM accounts WHERE email_key = $1', [person.email])).toEqual([]);
  });

  it('ends one session, keeps second factors, and shows failed sign-ins', async () => {
    const person = await Person.signUp(app);
    const change = { email: `new-${person.email}` };
    const { status } = await app.call('PUT', '/api/v1/iam/me/email', change, { token: person.token });
    expect(status).toBe(202);
    await TestTotp.enrol(app, person.token);
    for (let n = 0; n < 5; n++) await app.post('login', { email: person.email, password: 'wrong' });
    await enter(`/operator/people/${person.id}`);
    await visitor.choose('Actions for this person', 'Reset second factors');
    await visitor.fill('Reason', 'Lost phone');
    await visitor.page.getByRole('dialog').getByRole('button', { name: 'Reset second factors' }).click();
    await visitor.press('Cancel the reset');
    await visitor.page.getByRole('button', { name: 'Cancel the reset' }).waitFor({ state: 'detached' });
    await visitor.choose('Actions for this person', 'Send password reset');
    await visitor.press('Send password reset');
    for (const what of ['Cancel the link', 'Cancel the change']) {
      await visitor.press(what);
      await visitor.page.getByRole('button', { name: what }).waitFor({ state: 'detached' });
    }
    const waiting =
      'SELECT account_id AS id FROM email_changes UNION ALL SELECT account_id FROM password_resets';
    await eventually('nothing waits any more', async () =>
      (await app.sql(waiting)).every(({ id }) => id !== person.id),
    );
    await visitor.page.getByRole('tab', { name: 'Sessions 1' }).click();
    await visitor.reads('5 wrong passwords');
    await visitor.reads('Ongoing');
    await visitor.press(/^End the session /);
    await visitor.page.getByRole('tab', { name: 'Sessions 0' }).waitFor();
    expect((await app.get('/api/v1/iam/me', person.token)).status).toBe(401);
  });

  it('shows of a person what there is, and nothing else', async () => {
    const person = await Person.again({ service: app, ...(await app.register()) }); // with a mail
    const organization = await Organization.found(app);
    await organization.admit(person, 'member');
    await enter(`/operator/people/${person.id}`);
    await visitor.sees('Ada');
    const labels = () => visitor.page.locator('dl.facts dt').allInnerTexts();
    const tab = (name: string) => visitor.page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
    const isShown = async (text: string) =>
      (await visitor.page.getByText(text, { exact: true }).filter({ visible: true }).count()) > 0;
    const shown = (...texts: string[]) => Promise.all(texts.map(isShown));
    expect(await labels()).toEqual(['Email address', 'Name', 'Password', 'Second factors']);
    expect(await visitor.page.getByText(/^Suspended /).count()).toBe(0);
    await tab('Organizations');
    await visitor.reads('Lovelace Logistics');
    expect(await shown('Archived', 'Suspended')).toEqual([false, false]);
    await tab('Emails');
    const again = visitor.page.getByRole('button', { name: /^Send .* again$/ });
    await visitor.page.getByRole('tabpanel').getByText('attempt').first().waitFor();
    expect(await again.count()).toBe(0); // the link that verified the address was used
    await visitor.choose('Actions for this person', 'Send password reset');
    await visitor.press('Send password reset');
    await eventually('the mail can be sent again', async () => {
      await visitor.page.reload();
      await tab('Emails');
      await visitor.page.getByRole('tabpanel').getByText('attempt').first().waitFor();
      return (await again.count()) === 1;
    });
    await app.call('PATCH', '/api/v1/iam/me', { company: 'Acme', country: 'NL' }, { token: person.token });
    await organization.call('POST', `/members/${person.id}/suspend`);
    await organization.call('POST', '/archive');
    await visitor.page.reload();
    await visitor.sees('Ada');
    await tab('Account');
    await visitor.reads('Acme');
    expect(await labels()).toEqual(expect.arrayContaining(['Company', 'Country']));
    await tab('Organizations');
    await visitor.reads('Lovelace Logistics');
    expect(await shown('Archived', 'Suspended')).toEqual([true, true]);
  });

  it('starts the data export of a person', async () => {
    const person = await Person.signUp(app);
    await enter(`/operator/people/${person.id}`);
    await visitor.sees('Ada');
    await visitor.choose('Actions for this person', 'Start a data export');
    await visitor.reads(/only they can open it/);
    await visitor.page.getByRole('alertdialog').getByRole('button', { name: 'Start a data export' }).click();
    await visitor.reads('Done.');
    await visitor.choose('Actions for this person', 'Start a data export');
    await visitor.page.getByRole('alertdialog').getByRole('button', { name: 'Start a data export' }).click();
    await visitor.reads(/An export of this person was started within the last day/);
    const sql = 'SELECT 1 FROM account_exports WHERE account_id = $1';
    expect(await app.sql(sql, [person.id])).toHaveLength(1);
  });

  it('sends a mail again, and withdraws the request to erase an account', async () => {
    const person = await Person.signUp(app);
    const other = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(other.email, 'admin');
    await app.sql(
      "INSERT INTO erasure_requests (account_id, operator_id, expires_at) VALUES ($1, $2, now() + interval '1 day')",
      [person.id, other.id],
    );
    await app.post('request-password-reset', { email: person.email });
    await app.mails(person.email, 2);
    await Organization.found(app, person);
    await enter(`/operator/people/${person.id}`);
    await visitor.sees('Ada');
    await visitor.page.getByRole('tab', { name: 'Organizations and providers 1' }).click();
    await visitor.page
      .getByRole('row', { name: /^Lovelace Logistics.* Owner Active Not allowed / })
      .waitFor();
    await visitor.reads('The erasure waits for another operator');
    const asker = visitor.page.getByText(/^Requested by/).getByRole('link', { name: 'Ada', exact: true });
    expect(await asker.getAttribute('href')).toBe(`/operator/people/${other.id}`);
    await visitor.press('Withdraw the request');
    await eventually('the request is withdrawn', async () => {
      const sql = 'SELECT 1 FROM erasure_requests WHERE account_id = $1';
      return (await app.sql(sql, [person.id])).length === 0;
    });
    const before = (await app.mails(person.email)).length;
    await visitor.page.getByRole('tab', { name: /^Emails/ }).click();
    await visitor.page.reload(); // the part is in the address
    await visitor.press('Send the email “Reset the password” again');
    await eventually('it has come', async () => (await app.mails(person.email)).length === before + 1);
  });

  it('acts as a person with a banner on each page, and comes back', async () => {
    const organization = await Organization.found(app);
    await organization.call('PUT', '/sign-in-policy', { supportAccess: 'always' });
    const { person } = await organization.join('admin');
    const operator = await enter(`/operator/people/${person.id}`);
    await visitor.sees('Ada');
    await actAs(visitor, { Reason: REASON, Ticket: 'SUP-4711' });
    for (const link of ['Roles', 'Settings']) {
      await visitor.press(link);
      await visitor.sees(link);
      await visitor.reads(`You act as ${person.email}.`);
      await visitor.reads(`Reason: ${REASON}`);
      await visitor.reads('Ticket: SUP-4711');
      await visitor.reads(/^\d+ minutes? left\.$/);
    }
    const banner = visitor.page.getByRole('complementary');
    const [words, end] = await Promise.all(
      [banner.locator('div'), banner.getByRole('button', { name: 'End' })].map((one) => one.boundingBox()),
    );
    expect(end?.x).toBeGreaterThan((words?.x ?? 0) + (words?.width ?? Infinity));
    const other = await visitor.tab();
    await other.goto('/account');
    await other.sees('Profile');
    await other.reads(operator.email);
    await visitor.press('End');
    await visitor.sees('People');
    expect(await visitor.page.getByText(`You act as ${person.email}.`).count()).toBe(0);
    await eventually('the impersonation has ended', async () => {
      const sql = 'SELECT 1 FROM impersonations WHERE account_id = $1 AND ended_at IS NOT NULL';
      return (await app.sql(sql, [person.id])).length === 1;
    });
  });

  it('leaves what is of the person to them, while it acts as one', async () => {
    const organization = await Organization.found(app);
    await organization.call('PUT', '/sign-in-policy', { supportAccess: 'always' });
    const { person } = await organization.join('admin');
    const key = { name: 'Export', tenantId: organization.id };
    const { status } = await app.call('POST', '/api/v1/iam/me/keys', key, { token: person.token });
    expect(status).toBe(201);
    await (await RelyingParty.register(app, { firstParty: false })).signIn(person.token);
    await app.sql(
      "INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject) VALUES ($1, $1, 'oidc', 'env:oidc', 'https://idp.example', $1)",
      [person.id],
    );
    await TestTotp.enrol(app, person.token);
    await enter(`/operator/people/${person.id}`);
    await actAs(visitor, { Reason: 'Ticket 4713' });
    const main = visitor.page.getByRole('main');
    for (const [path, title, said, read] of [
      ['/account/password', 'Password', 'Only the person can do this', null],
      ['/account/erase', 'Delete account', 'Only the person can do this', null],
      ['/account/data', 'My data', 'Only the person can do this', null],
      ['/organizations/new', 'New organization', 'Only the person can do this', null],
      ['/account', 'Profile', 'Only the person can change this', person.email],
      ['/account/security', 'Security', 'Only the person can change this', 'Authenticator app'],
      ['/account/keys', 'My keys', 'Only the person can change this', 'Export'],
      ['/account/sessions', 'Sessions', 'Only the person can change this', 'Acts as you'],
      [
        '/account/identities',
        'Sign-in methods',
        'Only the person can change this',
        /^https:\/\/idp\.example/,
      ],
      ['/account/apps', 'Connected apps', 'Only the person can change this', 'Help centre'],
    ] as const) {
      await visitor.goto(path);
      await visitor.sees(title);
      await visitor.reads(said);
      await visitor.reads(`You act as ${person.email}.`);
      if (read !== null) await main.getByText(read, { exact: true }).first().waitFor();
      expect(await visitor.page.getByRole('alert').count()).toBe(0);
      for (const role of ['textbox', 'button', 'combobox'] as const)
        expect([path, role, await main.getByRole(role).count()]).toEqual([path, role, 0]);
    }
  });

  it('leaves what it did as a person when the organization ends it', async () => {
    const organization = await Organization.found(app);
    await organization.call('PUT', '/sign-in-policy', { supportAccess: 'always' });
    const { person } = await organization.join('admin');
    await enter(`/operator/people/${person.id}`);
    await actAs(visitor, { Reason: 'Ticket 4712' });
    const { accessToken } = JSON.parse(
      await visitor.page.evaluate<string>("sessionStorage.getItem('gatehouse-acting')"),
    ) as { accessToken: string };
    await organization.call('PUT', '/sign-in-policy', { supportAccess: 'never' });
    await eventually(
      'the session has ended',
      async () => (await app.get('/api/v1/iam/me', accessToken)).status === 401,
    );
    // The page leaves by its next request: that of the press, or one of its own before it.
    await Promise.race([visitor.sees('People'), visitor.press('Roles').catch(() => undefined)]);
    await visitor.sees('People');
  });

  it('exports the audit trail as it is listed, whatever else its address has', async () => {
    await enter('/operator/audit-trail?group=tenant&action=tenant.created');
    await visitor.sees('Audit log');
    await visitor.page.locator('.trail > li').first().waitFor();
    await Promise.all([visitor.page.waitForEvent('download'), visitor.press('Export CSV')]);
  });

  it('shows organizations, operators, jobs and the audit trail', async () => {
    const organization = await Organization.found(app);
    await organization.join('member');
    await enter('/operator/organizations');
    await visitor.sees('Organizations');
    await organization.call('PATCH', '', { slug: 'analytical-engines' });
    await visitor.fill('Search by name, URL name, domain or id', 'CAL-ENG');
    await visitor.page.getByRole('row', { name: organization.id }).getByRole('link').click();
    await visitor.sees('Lovelace Logistics');
    await visitor.press('Archive organization');
    await visitor.page.getByRole('alertdialog').getByRole('button', { name: 'Archive', exact: true }).click();
    await visitor.page.getByRole('button', { name: 'Restore organization' }).waitFor();
    const newcomer = await Person.signUp(app);
    await visitor.press('Operators');
    await visitor.sees('Operators');
    await visitor.press('New operator');
    await visitor.fill('Email address', newcomer.email);
    await visitor.press('Add operator');
    await visitor.choose(`Actions for ${newcomer.email}`, 'Edit');
    const form = visitor.page.getByRole('dialog');
    await form.getByRole('button', { name: /^All that the role allows/ }).click();
    await visitor.page.getByRole('option', { name: 'Only some permissions', exact: true }).click();
    await form.getByLabel('Search permissions').fill('platform:person:read');
    await form.getByRole('checkbox', { name: /platform:person:read/ }).check({ force: true });
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await visitor.reads('Operator changed.');
    await visitor.reads('1 permission');
    const scopes = await app.sql('SELECT scopes FROM operators WHERE account_id = $1', [newcomer.id]);
    expect(scopes).toEqual([{ scopes: ['platform:person:read'] }]);
    await visitor.choose(`Actions for ${newcomer.email}`, 'Remove');
    await visitor.page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await visitor.reads('Operator removed.');
    await visitor.press('Webhooks');
    await visitor.sees('Webhooks');
    await visitor.reads('No subscription yet');
    await visitor.press('Jobs');
    await visitor.sees('Jobs');
    await visitor.press('Audit log');
    await visitor.sees('Audit log');
    expect(await visitor.page.getByRole('button', { name: /Area$/ }).count()).toBe(0);
    await visitor.goto(`/operator/organizations/${organization.id}`);
    await visitor.press('All events in the audit log');
    await visitor.sees('Audit log');
    await visitor.page.getByRole('button', { name: 'Details' }).first().click();
    await visitor.reads(`iam/tenants/${organization.id}`);
    await visitor.page.getByRole('button', { name: /Area$/ }).click();
    await visitor.page.getByRole('option', { name: 'Organization', exact: true }).click();
    await visitor.reads('archived the organization');
    await visitor.page.getByText('created the account').waitFor({ state: 'detached' });
    await visitor.press('Only in Lovelace Logistics');
    await visitor.reads('to filter by area and action');
    await visitor.reads(/read an organization: Lovelace Logistics$/);
    await visitor.reads(/accepted an invitation: .+ · Lovelace Logistics$/);
    await visitor.goto(`/operator/organizations/${organization.id}`);
    await visitor.press('2');
    await visitor.press('Members of Lovelace Logistics');
    await visitor.page.getByLabel('Search by name, email, @domain or id').waitFor();
  });

  it('ends the sessions of many people, and shows how far it is', async () => {
    const organization = await Organization.found(app);
    const { person: member } = await organization.join('member');
    const [chosen, other] = [await Person.signUp(app), await Person.signUp(app)];
    const isSignedIn = async ({ token }: Person) => (await app.get('/api/v1/iam/me', token)).status === 200;
    const operator = await enter('/operator/people');
    await visitor.sees('People');
    expect(await visitor.page.getByText('Actions for many people').count()).toBe(0);
    await visitor.page.getByRole('row', { name: chosen.email }).getByRole('checkbox').check({ force: true });
    await visitor.reads('1 selected');
    await visitor.press('End sessions');
    await visitor.page.getByRole('alertdialog').getByRole('button', { name: 'End sessions' }).click();
    await visitor.reads('1 of 1 done, 0 left out');
    await visitor.page.getByText('1 selected').waitFor({ state: 'detached' });
    expect([await isSignedIn(chosen), await isSignedIn(other)]).toEqual([false, true]);
    await visitor.goto(`/operator/organizations/${organization.id}`);
    await visitor.press('End sessions of all members');
    await visitor.page.getByRole('alertdialog').getByRole('button', { name: 'End sessions' }).click();
    await eventually('the member is signed out', async () => !(await isSignedIn(member)));
    await visitor.press('People');
    await visitor.reads('2 of 2 done, 0 left out');
    await visitor.reads('Lovelace Logistics');
    const rights = ['platform:person:read', 'platform:tenant:read'];
    await app.app.get(OperatorService, { strict: false }).grant(operator.email, 'support', rights);
    const controls = () =>
      visitor.page.getByRole('main').getByRole('button').or(visitor.page.getByRole('checkbox'));
    await visitor.goto('/operator/people');
    await visitor.reads('Lovelace Logistics');
    expect(
      await controls()
        .filter({ hasNotText: /All people|Show more/ })
        .count(),
    ).toBe(0);
    await visitor.goto(`/operator/organizations/${organization.id}`);
    await visitor.reads('All events in the audit log');
    await visitor.reads('Limits');
    expect(await controls().or(visitor.page.getByRole('textbox')).count()).toBe(0);
  });

  it('says that a person or an organization does not exist, and leads to the search', async () => {
    const unknown = crypto.randomUUID();
    await enter(`/operator/people/${unknown}`);
    await visitor.sees('No person found');
    await visitor.press('Search people');
    await visitor.sees('People');
    await visitor.goto(`/operator/organizations/${unknown}`);
    await visitor.sees('No organization found');
    await visitor.press('Search organizations');
    await visitor.sees('Organizations');
  });

  it('is in the account menu of operators alone, which asks when it opens', async () => {
    const openMenu = async () => {
      const asked = visitor.page.waitForResponse('**/api/auth/can');
      await visitor.page.getByRole('button', { name: /^My account/ }).click();
      await visitor.page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
      await (await asked).finished();
    };
    const link = () => visitor.page.getByRole('menuitem', { name: 'Operator console' });
    await enter('/organizations');
    await openMenu();
    await link().click();
    await visitor.sees('Overview');
    visitor = await portal.visitor();
    await visitor.goto('/organizations');
    await visitor.signIn(await Person.signUp(app));
    await openMenu();
    expect(await link().count()).toBe(0);
  });

  it('is closed to others', async () => {
    await visitor.goto('/operator/people');
    await visitor.signIn(await Person.signUp(app));
    await visitor.sees('Operator console');
    await visitor.reads('This page is for operators of the platform.');
  });
});
