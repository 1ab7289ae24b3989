import { CHROMIUM } from '../support/chromium.js';
import { TestTotp } from '../support/factors.js';
import { Organization, Person } from '../support/organization.js';
import { mailedLink, type Visitor, withPortal } from '../support/portal.js';
import { describeWith } from '../support/tools.js';

const ERASE = '/account/erase';
const SESSIONS = '/account/sessions';
const NEW_PASSWORD = 'another quiet harbour 43';

describeWith([CHROMIUM], 'What is the person’s own, at the portal', () => {
  let visitor: Visitor;
  let acme: Organization;
  const { app, portal } = withPortal();
  beforeAll(async () => (acme = await Organization.found(app)));
  beforeEach(async () => (visitor = await portal.visitor()));

  const dialog = (name: string) => visitor.page.getByRole('dialog', { name });
  const question = (name: string) => visitor.page.getByRole('alertdialog', { name });
  /** Signs a person in, and lets only a connection of Acme stand behind the session. */
  const byConnection = async (path: string, title: string) => {
    const person = await Person.signUp(app);
    await visitor.goto(path);
    await visitor.signIn(person);
    await visitor.sees(title);
    await app.sql('UPDATE sessions SET vouched_by = $2, own_proof = false WHERE account_id = $1', [
      person.id,
      [acme.id],
    ]);
    return person;
  };
  const erase = async ({ email }: Person) => {
    await visitor.goto(ERASE);
    await visitor.fill(`Type ${email} to confirm`, email);
    await visitor.press('Delete my account');
  };

  it('is asked for in a session by an organization, and lets the command go on', async () => {
    const person = await byConnection(ERASE, 'Delete account');
    await erase(person);
    const asked = dialog('Confirm it is you');
    await asked
      .getByText('You signed in through your organization. Confirm with a sign-in method of your own.')
      .waitFor();
    await asked.getByLabel('Password', { exact: true }).fill(person.password);
    await asked.getByRole('button', { name: 'Confirm' }).click();
    await visitor.reads('Account deleted.');
  });

  it('is set by mail where there is nothing', async () => {
    const person = await byConnection(ERASE, 'Delete account');
    const domain = person.email.split('@')[1];
    await app.sql('UPDATE accounts SET password_hash = NULL WHERE id = $1', [person.id]);
    await app.sql(
      "INSERT INTO tenant_domains (tenant_id, id, domain, token, status, verified_at) VALUES ($1, $2, $3, $2, 'verified', now())",
      [acme.id, person.id, domain],
    );
    await erase(person);
    await dialog('Confirm it is you').getByText('Set a password with the emailed link').waitFor();
    await dialog('Confirm it is you').getByRole('link', { name: 'Set a password' }).click();
    await visitor.sees('Forgot password?');
  });

  it('is what a factor of an organization becomes, once it is shown after a sign-in by password', async () => {
    const person = await Person.signUp(app);
    const totp = await TestTotp.enrol(app, person.token);
    const placed = 'UPDATE totp_authenticators SET assured_by = $2 WHERE account_id = $1';
    await app.sql(placed, [person.id, acme.id]);
    await app.sql('UPDATE recovery_codes SET assured_by = $2 WHERE account_id = $1', [person.id, acme.id]);
    await visitor.goto('/account/security');
    await visitor.signIn(person);
    await visitor.sees('Security');
    const { name } = (await acme.call('GET', '')).body as unknown as { name: string };
    await visitor.page.getByText(`Counts in ${name} only: you added it when`).waitFor();
    await visitor.press('Confirm with it');
    await dialog('Confirm it is you').getByLabel('Code').fill(totp.next());
    await dialog('Confirm it is you').getByRole('button', { name: 'Confirm' }).click();
    await visitor.reads('Authenticator app counts everywhere now.');
    await visitor.page.getByText(`Counts in ${name} only`).waitFor({ state: 'detached' });
  });

  it('stays a factor of the organization in a session that only this stands behind', async () => {
    const person = await byConnection(SESSIONS, 'Sessions');
    const totp = await TestTotp.enrol(app, person.token);
    await app.sql('UPDATE totp_authenticators SET assured_by = $2 WHERE account_id = $1', [
      person.id,
      acme.id,
    ]);
    await visitor.goto('/account/security');
    await visitor.press('Confirm with it');
    await dialog('Confirm it is you').getByLabel('Code').fill(totp.next());
    await dialog('Confirm it is you').getByRole('button', { name: 'Confirm' }).click();
    await visitor.reads(/still counts in one organization only/);
  });

  it('is told from what a thief’s session made, which ends with one press after a reset', async () => {
    const person = await Person.signUp(app);
    const thief = await Person.again(person);
    const { id: tenantId } = await Organization.found(app, person);
    const key = { tenantId, name: 'Of a thief' };
    const made = await app.call('POST', '/api/v1/iam/me/keys', key, { token: thief.token });
    expect(made.status).toBe(201);
    const { length } = await app.mails(person.email);
    await app.post('request-password-reset', { email: person.email });
    await visitor.page.goto(await mailedLink(app, person.email, length + 1));
    await visitor.fill('New password', NEW_PASSWORD);
    await visitor.press('Change password');
    await visitor.sees('Password changed');
    await visitor.press('See what earlier sessions added');
    await visitor.signIn({ email: person.email, password: NEW_PASSWORD });
    await visitor.sees('Sessions');
    const section = visitor.page.getByRole('region', { name: 'Added in your sessions' });
    await section.getByText('Key Of a thief').waitFor();
    await section.getByRole('button', { name: 'Remove what it added' }).click();
    const ending = question('Remove what this session added?');
    await ending.getByText('keys are removed, and the session ends').waitFor();
    await ending.getByRole('button', { name: 'Remove what it added' }).click();
    await visitor.reads('What the session added is removed.');
    await section.waitFor({ state: 'detached' });
    expect((await app.get('/api/v1/iam/me', String(made.body['key']))).status).toBe(401);
  });
});
