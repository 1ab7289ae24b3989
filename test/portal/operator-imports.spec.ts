import { readFile } from 'node:fs/promises';
import { OperatorService } from '../../src/iam/index.js';
import type { OperatorRole } from '../../src/kernel/index.js';
import { CHROMIUM } from '../support/chromium.js';
import { TestTotp } from '../support/factors.js';
import { Person } from '../support/organization.js';
import { type PortalBrowser, withPortal, type Visitor } from '../support/portal.js';
import type { TestApp } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

/** More than a part of the file. */
const BLANK_LINES = 600_000;

jest.setTimeout(120_000); // a sign-in by two factors and two imports, on a busy machine

describeWith([CHROMIUM], 'Imports of people, at the portal', () => {
  let app: TestApp;
  let portal: PortalBrowser;
  let visitor: Visitor;
  withPortal((started) => ({ app, portal } = started));
  beforeEach(async () => {
    visitor = await portal.visitor();
  });

  const signIn = async (role: OperatorRole): Promise<void> => {
    const person = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(person.email, role);
    const totp = await TestTotp.enrol(app, person.token);
    await visitor.signIn(person);
    await visitor.fill('Code', totp.next());
    await visitor.press('Confirm');
  };
  /** Signs an operator in by two factors, at the page. */
  const enter = async (role: OperatorRole): Promise<void> => {
    await visitor.goto('/operator/imports');
    await signIn(role);
    await visitor.sees('Imports');
  };
  const choose = async (name: string, content: string): Promise<void> => {
    const buffer = Buffer.from(content);
    await visitor.page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name, mimeType: 'text/plain', buffer });
  };
  const isImported = async (email: string): Promise<boolean> =>
    (await app.sql('SELECT 1 FROM accounts WHERE email_key = $1', [email])).length === 1;

  it('imports a file in parts, and saves the refused lines by their number in it', async () => {
    await enter('admin');
    const line = (name: string, emailVerified: boolean) =>
      `${JSON.stringify({ externalId: name, email: `${name}@example.com`, emailVerified })}\n`;
    const content = line('ada', true) + '\n'.repeat(BLANK_LINES) + line('grace', false);
    await choose('people.ndjson', content);
    await visitor.page.getByText(/^Dry run: /).click();
    await visitor.press('Import');
    await visitor.reads('1 would be imported · 0 imported before · 1 refused');
    expect(await isImported('ada@example.com')).toBe(false);
    await choose('people.ndjson', content);
    await visitor.press('Import');
    await visitor.reads('1 imported · 0 imported before · 1 refused');
    expect(await isImported('ada@example.com')).toBe(true);
    expect(await isImported('grace@example.com')).toBe(false);
    const save = visitor.page.getByRole('button', { name: 'Save the refused lines of people.ndjson' });
    const [file] = await Promise.all([visitor.page.waitForEvent('download'), save.first().click()]);
    const [head, row, rest] = (await readFile(await file.path(), 'utf8')).split('\r\n');
    expect([head, rest]).toEqual(['\uFEFF"line","reason"', '']);
    expect(row).toMatch(new RegExp(`^"${BLANK_LINES + 2}",".*emailVerified.*"$`));
  });

  it('continues with the part that failed', async () => {
    await enter('admin');
    await visitor.page.route('**/operator/imports?*', (route) => route.abort());
    const person = { externalId: 'alan', email: 'alan@example.com', emailVerified: true };
    await choose('rest.ndjson', JSON.stringify(person));
    await visitor.press('Import');
    await visitor.reads('What was imported stays. Continue with the part that failed.');
    await visitor.page.unroute('**/operator/imports?*');
    await visitor.press('Continue the import of rest.ndjson');
    await visitor.reads('1 imported · 0 imported before · 0 refused');
    expect(await isImported(person.email)).toBe(true);
  });

  it('shows nothing of them to the next user of the tab', async () => {
    await enter('admin');
    await choose('secret.ndjson', '{}');
    await visitor.press('Import');
    await visitor.reads('0 imported · 0 imported before · 1 refused');
    await visitor.press(/^My account/);
    await visitor.press('Sign out');
    await visitor.reads('You have signed out.');
    await signIn('admin');
    await visitor.sees('Organizations');
    await visitor.press(/^My account/);
    await visitor.press('Operator console');
    await visitor.sees('People');
    await visitor.press('Imports');
    await visitor.reads('No import yet');
    expect(await visitor.page.getByText('secret.ndjson').count()).toBe(0);
  });

  it('tells support that it is for administrators', async () => {
    await enter('support');
    await visitor.reads('You cannot import people');
    expect(await visitor.page.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);
    expect(await visitor.page.getByLabel('File', { exact: true }).isDisabled()).toBe(true);
  });
});
