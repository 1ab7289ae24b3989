import { CHROMIUM } from '../support/chromium.js';
import { Person } from '../support/organization.js';
import { withPortal, withVisitor, withStandIns } from '../support/portal.js';
import { describeWith } from '../support/tools.js';

/**
 * External sign-in at the portal, by stand-ins of every kind, with the strictest binding to the
 * browser.
 */
describeWith([CHROMIUM], 'External sign-in at the portal', () => {
  const providers = withStandIns();
  const { app, portal } = withPortal(() => ({ ...providers.settings, EXTERNAL_BROWSER_BINDING: 'cookie' }));
  const visitor = withVisitor(portal);

  /** Signs in at the provider and returns. */
  const consent = async (person?: Record<string, unknown>, mishap = '') => {
    const { page } = visitor;
    await page.waitForURL(/\/at\//);
    if (person) await page.getByLabel('Who are you?').fill(JSON.stringify(person));
    await page.getByLabel('What goes wrong?').selectOption(mishap);
    await visitor.press('Sign in');
    await visitor.press('Go back');
  };
  const signedIn = async (): Promise<Person> => {
    const person = await Person.signUp(app);
    await visitor.goto('/account/identities');
    await visitor.signIn(person);
    await visitor.sees('Sign-in methods');
    return person;
  };

  it.each([
    ['Google', 'Google'],
    ['Facebook', 'Facebook'],
    ['Apple', 'Apple'],
    ['single sign-on', 'Single sign-on'],
    ['your company (SAML)', 'Your company (SAML)'],
  ])('signs in by %s, and opens the requested page', async (kind, title) => {
    await visitor.goto('/account/identities');
    await visitor.press(`Continue with ${kind}`);
    await consent();
    await visitor.sees('Sign-in methods');
    await visitor.page.getByRole('listitem').getByText(title, { exact: true }).waitFor();
    await visitor.press(`Actions for ${title}`);
    await visitor.reads('This is your only sign-in method.');
  });

  it('explains a cancelled sign-in, and links to the sign-in page', async () => {
    await visitor.goto('/');
    await visitor.press('Continue with Google');
    await consent(undefined, 'the person turns back');
    await visitor.sees('Sign-in cancelled');
    await visitor.reads('You have not been signed in');
    await visitor.press('Back to sign-in');
    await visitor.sees('Sign in');
  });

  it('explains how to continue where the address already has an account', async () => {
    const { email } = await Person.signUp(app);
    await visitor.goto('/');
    await visitor.press('Continue with Google');
    await consent({ sub: '2001', email, email_verified: true });
    await visitor.reads('An account with this address already exists.');
  });

  it.each(['code', 'link_code'])('ignores a %s of a flow that another browser began', async (what) => {
    await visitor.goto(`/signed-in#${what}=planted&state=planted`);
    await visitor.sees('Sign-in failed');
    expect(await visitor.page.getByText('Sign-in failed').count()).toBe(1);
    expect(await visitor.page.getByRole('alert').innerText()).toMatch(/\w\.$/);
    expect(visitor.page.url()).toBe(`${app.url}/signed-in`);
    expect(await visitor.page.context().cookies()).toEqual([]);
  });

  it('links an identity to an account, signs in with it, and unlinks it', async () => {
    const person = await signedIn();
    await visitor.reads('No linked account yet');
    await visitor.press('Connect Google');
    await consent({ sub: '3001' });
    await visitor.reads('You can now sign in with Google too.');
    await visitor.press(/^My account/);
    await visitor.press('Sign out');
    await visitor.press('Continue with Google');
    await consent({ sub: '3001' });
    await visitor.sees('Organizations');
    await visitor.goto('/account');
    await visitor.reads(person.email);
    await visitor.press('Sign-in methods');
    await visitor.choose('Actions for Google', 'Disconnect');
    await visitor.press('Disconnect');
    await visitor.reads('No linked account yet');
  });
});
