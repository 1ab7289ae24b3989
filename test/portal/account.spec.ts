import { CHROMIUM } from '../support/chromium.js';
import { Organization, Person } from '../support/organization.js';
import { mailedLink, withPortal, withVisitor, withStandIns } from '../support/portal.js';
import { ScimDirectory, verifyDomain } from '../support/scim-directory.js';
import { describeWith } from '../support/tools.js';

describeWith([CHROMIUM], 'The account, at the portal', () => {
  const providers = withStandIns();
  const { app, portal } = withPortal(() => providers.settings);
  const visitor = withVisitor(portal);

  const open = async (path: string, person: Person): Promise<void> => {
    await visitor.goto(path);
    await visitor.signIn(person);
  };
  const byGoogle = async (who: Record<string, unknown>): Promise<void> => {
    await visitor.goto('/account/password');
    await visitor.press('Continue with Google');
    await visitor.page.waitForURL(/\/at\//);
    await visitor.page.getByLabel('Who are you?').fill(JSON.stringify(who));
    await visitor.press('Sign in');
    await visitor.press('Go back');
  };

  it('offers a first password by mail to a person who has none', async () => {
    const email = 'external-only@example.com';
    await byGoogle({ sub: '5001', email, email_verified: true });
    await visitor.sees('Set a password');
    expect(await visitor.page.getByLabel('Current password').count()).toBe(0);
    await visitor.press('Email me a link');
    await visitor.reads('Check your email');
    await visitor.goto(await mailedLink(app, email));
    await visitor.fill('New password', 'quiet-harbour-42');
    await visitor.press('Change password');
    await visitor.sees('Password changed');
    await visitor.press('Sign in');
    await visitor.signIn({ email, password: 'quiet-harbour-42' });
    await visitor.sees('Organizations');
    await visitor.goto('/account/password');
    await visitor.page.getByLabel('Current password', { exact: true }).waitFor();
  });

  it('says what a password needs where the account has no address', async () => {
    await byGoogle({ sub: '5002' });
    await visitor.sees('Set a password');
    await visitor.reads('A password needs an email address');
  });

  it('changes the address by a mailed link, and undoes the change by another one', async () => {
    const person = await Person.signUp(app);
    const email = `new-${person.id.toLowerCase()}@example.com`;
    await open('/account', person);
    await visitor.fill('New email address', email);
    await visitor.press('Change email address');
    await visitor.reads(`We emailed a link to ${email}.`);
    await visitor.goto(await mailedLink(app, email));
    await visitor.sees('Confirm your new email address');
    expect((await app.get('/api/v1/iam/me', person.token)).body['email']).toBe(person.email);
    await visitor.press('Confirm this address');
    await visitor.sees('Email address changed');
    const { length } = await app.mails(person.email, 2);
    await visitor.goto(await mailedLink(app, person.email, length));
    await visitor.sees('Undo the change of your email address');
    await visitor.press('Restore my address');
    await visitor.sees('Email address restored');
    expect((await app.get('/api/v1/iam/me', person.token)).status).toBe(401);
    await visitor.goto(await mailedLink(app, person.email, length + 1));
    await visitor.sees('Choose a new password');
  });

  it('shows a change of address that waits, and cancels it', async () => {
    const person = await Person.signUp(app);
    const email = `new-${person.id.toLowerCase()}@example.com`;
    await open('/account', person);
    await visitor.fill('New email address', email);
    await visitor.press('Change email address');
    const link = await mailedLink(app, email);
    await visitor.reads('A new address waits for you to confirm it');
    await visitor.goto('/account');
    await visitor.reads(`We emailed a link to ${email}.`);
    await visitor.press('Cancel the change');
    await visitor.reads('The change is cancelled.');
    await visitor.page.getByText('A new address waits for you to confirm it').waitFor({ state: 'detached' });
    await visitor.goto(link);
    await visitor.press('Confirm this address');
    await visitor.sees('This link is no longer valid');
  });

  it('says why an address that a directory manages cannot be changed', async () => {
    const acme = await Organization.found(app);
    const domain = `${acme.id.toLowerCase()}.example`;
    await verifyDomain(acme, domain);
    const person = await Person.signUp(app, `ada@${domain}`);
    const directory = await ScimDirectory.create(acme);
    await directory.create(person.email);
    await app.sql('UPDATE directory_users SET made_account = true WHERE account_id = $1', [person.id]);
    await open('/account', person);
    await visitor.reads('A directory of your organization manages this address.');
    expect(await visitor.page.getByLabel('New email address').count()).toBe(0);
  });

  it('searches sessions, and signs out inactive devices in one step', async () => {
    const person = await Person.signUp(app);
    const { email, password } = person;
    for (const device of ['Firefox/1', 'Firefox/2', 'Firefox/3', 'Firefox/4', 'curl/8'])
      await app.post(
        'login',
        { email, password },
        { headers: { 'user-agent': `${device} (Windows NT 10.0)` } },
      );
    await app.sql(
      `WITH old AS (UPDATE sessions SET created_at = now() - interval '40 days'
         WHERE user_agent LIKE 'curl%' RETURNING id)
       UPDATE grants SET last_used_at = now() - interval '35 days' FROM old WHERE session_id = old.id`,
    );
    await open('/account/sessions', person);
    await visitor.sees('Sessions');
    const items = visitor.page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await visitor.fill('Search by device or IP address', 'curl');
    await items.filter({ hasText: 'last active last month' }).waitFor();
    await items.nth(1).waitFor({ state: 'detached' });
    await visitor.fill('Search by device or IP address', 'no such device');
    await visitor.reads('No matching sessions');
    await visitor.fill('Search by device or IP address', '');
    await items.first().waitFor();
    await visitor.press('Sign out inactive devices');
    await visitor.reads('Sign out devices inactive for 30 days?');
    await visitor.page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
    await visitor.reads('1 device signed out.');
    await items.filter({ hasText: 'last month' }).waitFor({ state: 'detached' });
    await items.filter({ hasText: 'This device' }).waitFor();
  });

  it('takes a country by its name, and keeps a text of another client', async () => {
    const person = await Person.signUp(app);
    const profile = async () => (await app.get('/api/v1/iam/me', person.token)).body;
    await app.call('PATCH', '/api/v1/iam/me', { country: 'Narnia' }, { token: person.token });
    await open('/account', person);
    const field = visitor.page.getByRole('combobox', { name: /Country/ });
    await field.waitFor();
    expect(await field.inputValue()).toBe('Narnia');
    await visitor.press('Save');
    await visitor.reads('Profile saved.');
    expect((await profile())['country']).toBe('Narnia');
    await field.fill('switz');
    await visitor.page.getByRole('option', { name: 'Switzerland' }).click();
    const saved = visitor.page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await visitor.press('Save');
    await saved;
    await visitor.page.reload();
    await field.waitFor();
    expect(await field.inputValue()).toBe('Switzerland');
    expect((await profile())['country']).toBe('CH');
  });

  it('tells two organizations with the same name apart', async () => {
    const person = await Person.signUp(app);
    const [one, other] = [await Organization.found(app, person), await Organization.found(app, person)];
    await open('/organizations', person);
    for (const { id } of [one, other]) await visitor.reads(`Id …${id.slice(-6)}`);
    await visitor.page.getByRole('button', { name: 'Organizations' }).click();
    for (const { id } of [one, other])
      await visitor.page
        .getByRole('menuitem')
        .filter({ hasText: id.slice(-6) })
        .waitFor();
  });

  it('says that it waits for a slow service', async () => {
    const person = await Person.signUp(app);
    await open('/account/sessions', person);
    await visitor.sees('Sessions');
    await visitor.page.clock.install();
    await visitor.page.route('**/me/audit-events*', () => undefined); // never answered
    await visitor.press('Audit log');
    await visitor.page.getByRole('status', { name: 'Loading: Audit log' }).waitFor();
    await visitor.page.clock.fastForward(3_500);
    await visitor.reads('This takes longer than usual.');
  });
});
