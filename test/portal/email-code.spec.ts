import { CHROMIUM } from '../support/chromium.js';
import { TestTotp } from '../support/factors.js';
import { Person } from '../support/organization.js';
import { mailedLink, withPortal, withVisitor } from '../support/portal.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const CODE = /: (\d{6})\b/;
const LABEL = 'Code from the email';

describeWith([CHROMIUM], 'Mailed codes at the portal', () => {
  const { app, portal } = withPortal({ EMAIL_SIGN_IN: 'on' });
  const visitor = withVisitor(portal);

  const codesTo = async (email: string): Promise<string[]> =>
    (await app.mails(email, 0)).flatMap((mail) => CODE.exec(mail)?.[1] ?? []);
  /** Asks for a code by this action. @returns the mailed code */
  const codeAfter = async (email: string, ask: () => Promise<void>): Promise<string> => {
    const { length: before } = await codesTo(email);
    await ask();
    await eventually('a code arrives', async () => (await codesTo(email)).length > before);
    return (await codesTo(email)).at(-1) ?? '';
  };
  const askToSignIn = (email: string): Promise<string> =>
    codeAfter(email, async () => {
      await visitor.goto('/account/sessions');
      await visitor.press('Email me a code instead');
      await visitor.fill('Email address', email);
      await visitor.press('Email me a code');
      await visitor.reads(`If ${email} has an account`);
    });
  const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

  it('sign in, after a wrong one was refused', async () => {
    const { email } = await Person.signUp(app);
    const code = await askToSignIn(email);
    const field = visitor.page.getByLabel(LABEL);
    expect([await field.getAttribute('autocomplete'), await field.getAttribute('inputmode')]).toEqual([
      'one-time-code',
      'numeric',
    ]);
    await visitor.fill(LABEL, otherThan(code));
    await visitor.press('Sign in');
    await visitor.reads('The code is wrong or has expired');
    await visitor.fill(LABEL, code);
    await visitor.page.keyboard.press('Enter');
    await visitor.sees('Sessions');
    expect(await visitor.page.evaluate("localStorage.getItem('gatehouse.email-code')")).toBeNull();
  });

  it('ask for the second factor too', async () => {
    const person = await Person.signUp(app);
    const totp = await TestTotp.enrol(app, person.token);
    await visitor.fill(LABEL, await askToSignIn(person.email));
    await visitor.press('Sign in');
    await visitor.sees('Enter your second factor');
    await visitor.fill('Code', totp.next());
    await visitor.press('Confirm');
    await visitor.sees('Sessions');
  });

  it('are filled in by the link, and sign in by a button alone', async () => {
    const { email } = await Person.signUp(app);
    const { length: before } = await app.mails(email, 0);
    const code = await askToSignIn(email);
    const link = await mailedLink(app, email, before + 1);
    await visitor.goto(link);
    await visitor.sees(/^Check your/);
    expect(await visitor.page.getByLabel(LABEL).inputValue()).toBe(code);
    expect(visitor.page.url()).not.toContain(code);
    const other = await portal.visitor(); // such as that of a program which scans mails
    await other.goto(link);
    await other.sees('Open the link in the other browser');
    await visitor.press('Sign in');
    await visitor.sees('Sessions');
  });

  it('confirm a person who has no password', async () => {
    const person = await Person.signUp(app);
    await visitor.goto('/account/erase');
    await visitor.signIn(person);
    await visitor.sees('Delete account');
    await app.sql('UPDATE accounts SET password_hash = NULL WHERE id = $1', [person.id]);
    await app.sql(
      "UPDATE sessions SET created_at = created_at - interval '1 hour', confirmed_at = confirmed_at - interval '1 hour'",
    );
    await visitor.goto('/account/erase');
    await visitor.fill(`Type ${person.email} to confirm`, person.email);
    await visitor.press('Delete my account');
    const dialog = visitor.page.getByRole('dialog', { name: 'Confirm it is you' });
    const code = await codeAfter(person.email, () =>
      dialog.getByRole('button', { name: 'Email me a code' }).click(),
    );
    await dialog.getByLabel(LABEL).fill(otherThan(code));
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await visitor.reads('The code is wrong or has expired');
    await dialog.getByLabel(LABEL).fill(code);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await visitor.reads('Account deleted.');
  });
});
