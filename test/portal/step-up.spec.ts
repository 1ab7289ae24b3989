import axe from 'axe-core';
import { CHROMIUM } from '../support/chromium.js';
import { Person } from '../support/organization.js';
import { withPortal, withVisitor, withStandIns } from '../support/portal.js';
import { describeWith } from '../support/tools.js';

const IDENTITIES = '/account/identities';
const ERASE = '/account/erase';

describeWith([CHROMIUM], 'The dialog "Confirm it is you", at the portal', () => {
  const providers = withStandIns();
  const { app, portal } = withPortal(() => ({ ...providers.settings, EXTERNAL_BROWSER_BINDING: 'cookie' }));
  const visitor = withVisitor(portal);

  const dialog = () => visitor.page.getByRole('dialog', { name: 'Confirm it is you' });
  const consent = async (sub: string) => {
    await visitor.page.waitForURL(/\/at\//);
    await visitor.page.getByLabel('Who are you?').fill(JSON.stringify({ sub }));
    await visitor.press('Sign in');
    await visitor.press('Go back');
  };
  const signedIn = async (path: string, title: string): Promise<Person> => {
    const person = await Person.signUp(app);
    await visitor.goto(path);
    await visitor.signIn(person);
    await visitor.sees(title);
    return person;
  };
  /** Moves every sign-in an hour into the past, for pages loaded from now on. */
  const passAnHour = () =>
    app.sql(
      "UPDATE sessions SET created_at = created_at - interval '1 hour', confirmed_at = confirmed_at - interval '1 hour'",
    );
  const confirm = async (password: string) => {
    await dialog().getByLabel('Password', { exact: true }).fill(password);
    await dialog().getByRole('button', { name: 'Confirm' }).click();
  };
  const typeToErase = async (word: string) => {
    await visitor.fill(`Type ${word} to confirm`, word);
    await visitor.press('Delete my account');
  };

  it('asks for the password, shows an error for a wrong one, and then erases', async () => {
    const person = await signedIn(ERASE, 'Delete account');
    await passAnHour();
    await visitor.goto(ERASE);
    await typeToErase(person.email);
    await confirm('a-wrong-harbour-9');
    await visitor.reads('Wrong password');
    expect((await app.get('/api/v1/iam/me', person.token)).status).toBe(200);
    await confirm(person.password);
    await visitor.reads('Account deleted.');
    expect((await app.get('/api/v1/iam/me', person.token)).status).toBe(401);
  });

  it('changes nothing when it is closed', async () => {
    const person = await signedIn(ERASE, 'Delete account');
    await passAnHour();
    await visitor.goto(ERASE);
    await typeToErase(person.email);
    await dialog().waitFor();
    await visitor.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await visitor.reads('You have not confirmed that it is you');
    expect((await app.get('/api/v1/iam/me', person.token)).status).toBe(200);
  });

  it('works by keyboard, and announces its messages', async () => {
    const person = await signedIn(ERASE, 'Delete account');
    await passAnHour();
    await visitor.goto(ERASE);
    await typeToErase(person.email);
    await dialog().waitFor();
    await visitor.page.keyboard.type(person.password); // the field has the focus
    await visitor.page.evaluate(axe.source);
    const { violations } = await visitor.page.evaluate<{ violations: { id: string }[] }>(
      "axe.run(document.querySelector('[role=dialog]'))",
    );
    expect(violations.map(({ id }) => id)).toEqual([]);
    await visitor.page.keyboard.press('Enter');
    await visitor.reads('Account deleted.');
  });

  it('lets a user link an identity, and unlink it an hour later', async () => {
    const person = await signedIn(IDENTITIES, 'Sign-in methods');
    await passAnHour();
    await visitor.goto(IDENTITIES);
    await visitor.press('Connect Google');
    await confirm(person.password);
    await consent('5001');
    await visitor.reads('You can now sign in with Google too.');
    await passAnHour();
    await visitor.goto(IDENTITIES);
    await visitor.choose('Actions for Google', 'Disconnect');
    await visitor.press('Disconnect');
    await confirm(person.password);
    await visitor.reads('No linked account yet');
  });

  it('lets a user without a password sign in again, and returns to the page', async () => {
    await visitor.goto(ERASE);
    await visitor.press('Continue with Google');
    await consent('6001');
    await visitor.sees('Delete account');
    await passAnHour();
    await visitor.goto(ERASE);
    await typeToErase('delete');
    await dialog().getByRole('button', { name: 'Sign in again with Google' }).click();
    await consent('6001');
    await visitor.sees('Delete account');
    await typeToErase('delete');
    await visitor.reads('Account deleted.');
  });
});
