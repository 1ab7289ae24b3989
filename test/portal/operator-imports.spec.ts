import { readFile } from 'node:fs/promises';
import type { OperatorRole } from '../../src/kernel/index.js';
import { CHROMIUM } from '../support/chromium.js';
import { Organization } from '../support/organization.js';
import { signInAsOperator } from '../support/portal-operator.js';
import { withPortal, withVisitor } from '../support/portal.js';
import { describeWith } from '../support/tools.js';

/** More than a part of the file. */
const BLANK_LINES = 600_000;

jest.setTimeout(120_000); // a sign-in by two factors and two imports, on a busy machine

describeWith([CHROMIUM], 'Imports of people, at the portal', () => {
  const { app, portal } = withPortal();
  const visitor = withVisitor(portal);

  /** Signs an operator in by two factors, at the page. */
  const enter = async (role: OperatorRole): Promise<void> => {
    await visitor.goto('/operator/imports');
    await signInAsOperator(app, visitor, role);
    await visitor.sees('Imports');
  };
  const choose = async (name: string, content: string): Promise<void> => {
    const buffer = Buffer.from(content);
    await visitor.page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name, mimeType: 'text/plain', buffer });
  };
  const column = async (field: string, name: string): Promise<void> => {
    await visitor.page.getByRole('button', { name: new RegExp(`${field}$`) }).click();
    await visitor.page.getByRole('option', { name }).click();
  };
  const isImported = async (email: string): Promise<boolean> =>
    (await app.sql('SELECT 1 FROM accounts WHERE email_key = $1', [email])).length === 1;

  it('imports a file in parts, and saves the refused lines by their number in it', async () => {
    await enter('admin');
    const line = (name: string, emailVerified: boolean) =>
      `${JSON.stringify({ externalId: name, email: `${name}@example.com`, emailVerified })}\n`;
    const content = line('ada', true) + '\n'.repeat(BLANK_LINES) + line('grace', false);
    await choose('people.ndjson', content);
    await visitor.press('Dry run');
    await visitor.reads('1 would be imported · 0 imported before · 1 refused');
    expect(await isImported('ada@example.com')).toBe(false);
    await visitor.press('Import 1');
    await visitor.reads('1 imported · 0 imported before · 1 refused');
    expect(await isImported('ada@example.com')).toBe(true);
    expect(await isImported('grace@example.com')).toBe(false);
    const save = visitor.page.getByRole('button', { name: 'Save the refused lines of people.ndjson' });
    const [file] = await Promise.all([visitor.page.waitForEvent('download'), save.first().click()]);
    const [head, row, rest] = (await readFile(await file.path(), 'utf8')).split('\r\n');
    expect([head, rest]).toEqual(['\uFEFF"line","reason"', '']);
    expect(row).toMatch(new RegExp(`^"${BLANK_LINES + 2}",".*emailVerified.*"$`));
  });

  it('recognizes a table, maps its columns, and imports after a dry run', async () => {
    await enter('admin');
    const head = 'Mail;Number;Forename;Surname\n';
    await choose(
      'people.csv',
      `${head}mary@example.com;m1;Mary;Somerville\nmary@example.com;m2;Mary;Other\n;m3;No;Address\n`,
    );
    await visitor.reads('Recognized: a table, 3 people.');
    await visitor.reads('2 addresses are not verified.');
    await visitor.reads('1 person has no address.');
    expect(await visitor.page.getByRole('button', { name: 'Dry run' }).isDisabled()).toBe(true);
    await visitor.page.getByText(/^All these addresses are verified/).click();
    await column('First name', 'Forename');
    await column('Last name', 'Surname');
    await column('Id in the other system', 'Number');
    const preview = visitor.page.getByRole('table', { name: 'Preview' });
    await preview.getByRole('row', { name: 'mary@example.com Mary Somerville m1 None None' }).waitFor();
    await visitor.press('Dry run');
    await visitor.reads('1 would be imported · 0 imported before · 1 refused');
    await visitor.reads('1 ×');
    await visitor.reads('line 3');
    await visitor.press('Import 1');
    await visitor.reads('1 imported · 0 imported before · 1 refused');
    const named = 'SELECT first_name AS first, last_name AS last FROM accounts WHERE email_key = $1';
    expect(await app.sql(named, ['mary@example.com'])).toEqual([{ first: 'Mary', last: 'Somerville' }]);
    expect(await visitor.page.getByRole('button', { name: 'Import 1' }).count()).toBe(0);
    await visitor.page.reload();
    const history = visitor.page.getByRole('table', { name: 'History' });
    await history
      .getByRole('row', { name: /^people\.csv .+ 1 0 0 1$/ })
      .first()
      .waitFor();
  });

  it('converts the export of another system, and lists whom to invite instead', async () => {
    await enter('admin');
    const user = (id: string, emailVerified: boolean) => ({
      localId: id,
      email: `${id}@example.com`,
      emailVerified,
    });
    await choose('users.json', JSON.stringify({ users: [user('edith', true), user('joan', false)] }));
    await visitor.reads('Recognized: Firebase, 2 people.');
    await visitor.fill('base64_signer_key', 'c2lnbmVy');
    await visitor.fill('base64_salt_separator', 'Bw==');
    await visitor.reads('1 address is not verified.');
    await visitor.press('Dry run');
    await visitor.reads('1 would be imported · 0 imported before · 0 refused');
    const organization = await Organization.found(app);
    await organization.call('PUT', '/sign-in-policy', { supportAccess: 'always' });
    await choose('invited.json', JSON.stringify({ users: [user('ida', true), user('emmy', false)] }));
    await visitor.fill('base64_signer_key', 'c2lnbmVy');
    await visitor.fill('base64_salt_separator', 'Bw==');
    await visitor.fill('Invite people without a verified address to', organization.id);
    await visitor.page.getByText('1 address is not verified.').waitFor({ state: 'detached' });
    await visitor.press('Dry run');
    await visitor.reads('1 would be imported · 1 would be invited · 0 imported before · 0 refused');
    await visitor.press('Import 2');
    await visitor.reads('1 imported · 1 invited · 0 imported before · 0 refused');
    expect(await app.mails('emmy@example.com')).toHaveLength(1);
    expect(await isImported('emmy@example.com')).toBe(false);
    await choose('prose.txt', 'Dear Sir or Madam,\nplease import Ada.');
    await visitor.reads(/^No people were recognized/);
  });

  it('continues with the part that failed', async () => {
    await enter('admin');
    const person = { externalId: 'alan', email: 'alan@example.com', emailVerified: true };
    await choose('rest.ndjson', JSON.stringify(person));
    await visitor.press('Dry run');
    await visitor.reads('1 would be imported · 0 imported before · 0 refused');
    await visitor.page.route('**/operator/imports?*', (route) => route.abort());
    await visitor.press('Import 1');
    await visitor.reads('What was imported stays. Continue with the part that failed.');
    await visitor.page.unroute('**/operator/imports?*');
    await visitor.press('Continue the import of rest.ndjson');
    await visitor.reads('1 imported · 0 imported before · 0 refused');
    expect(await isImported(person.email)).toBe(true);
  });

  it('shows nothing of them to the next user of the tab', async () => {
    await enter('admin');
    await choose('secret.ndjson', '{"externalId":"1","email":"","emailVerified":true}');
    await visitor.press('Dry run');
    await visitor.reads('0 would be imported · 0 imported before · 1 refused');
    await visitor.press(/^My account/);
    await visitor.press('Sign out');
    await visitor.reads('You have signed out.');
    await signInAsOperator(app, visitor);
    await visitor.sees('Organizations');
    await visitor.press(/^My account/);
    await visitor.press('Operator console');
    await visitor.sees('Overview');
    await visitor.press('Imports');
    await visitor.sees('Imports');
    await visitor.page.getByLabel('File', { exact: true }).waitFor();
    expect(await visitor.page.getByText('secret.ndjson').count()).toBe(0);
  });

  it('tells support that it is for administrators', async () => {
    await enter('support');
    await visitor.reads('You cannot import people');
    expect(await visitor.page.getByLabel('File', { exact: true }).isDisabled()).toBe(true);
  });
});
