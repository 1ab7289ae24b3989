import { CHROMIUM } from '../support/chromium.js';
import { Organization, Person } from '../support/organization.js';
import { mailedLink, type PortalBrowser, withPortal, type Visitor } from '../support/portal.js';
import type { TestApp } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const PASSWORD = 'quiet-harbour-42';

describeWith([CHROMIUM], 'An invited person, at the portal', () => {
  let app: TestApp;
  let portal: PortalBrowser;
  let visitor: Visitor;
  let organization: Organization;
  let counter = 0;
  withPortal((started) => ({ app, portal } = started));
  beforeEach(async () => {
    visitor = await portal.visitor();
    organization = await Organization.found(app);
  });

  const address = () => `newcomer-${(counter += 1)}@example.com`;
  const invite = (email: string) => organization.call('POST', '/invitations', { email, roles: ['member'] });
  const registerInvited = async (email: string): Promise<void> => {
    await visitor.goto(await mailedLink(app, email));
    await visitor.sees('Join Lovelace Logistics');
    await visitor.reads('Ada invites you as Member.');
    await visitor.press('Create account');
    await visitor.sees('Create an account');
    const field = visitor.page.getByLabel('Email address', { exact: true });
    expect([await field.inputValue(), await field.isEditable()]).toEqual([email, false]);
    await visitor.fill('First name', 'Grace');
    await visitor.fill('Password', PASSWORD);
    await visitor.press('Create account');
    await visitor.sees('Check your email');
  };
  const joinAfterVerification = async (at: Visitor, email: string): Promise<void> => {
    await at.sees('Your email address is confirmed');
    await at.press('Sign in');
    expect(await at.page.getByLabel('Email address', { exact: true }).inputValue()).toBe(email);
    await at.fill('Password', PASSWORD);
    await at.press('Sign in');
    await at.sees('Join Lovelace Logistics');
    await at.press('Accept invitation');
    await at.sees('Members');
    await at.reads(email);
  };

  it('becomes a member after registration, in another tab of the same browser', async () => {
    const email = address();
    await invite(email);
    await registerInvited(email);
    await visitor.press('Resend email');
    await visitor.reads('We have sent the email again.');
    const tab = await visitor.tab();
    await tab.goto(await mailedLink(app, email, 3));
    await tab.press('Confirm email address');
    await joinAfterVerification(tab, email);
  });

  it('becomes a member after verification in another browser', async () => {
    const email = address();
    await invite(email);
    await registerInvited(email);
    const other = await portal.visitor();
    await other.goto(await mailedLink(app, email, 2));
    expect(other.page.url()).toBe(`${app.url}/verify-email`); // no token in the address
    await other.fill('Password', PASSWORD);
    await other.press('Confirm email address');
    await joinAfterVerification(other, email);
  });

  it('comes back to the invitation after registering with an address that has an account', async () => {
    const { email, password } = await Person.signUp(app);
    await invite(email);
    await visitor.goto(await mailedLink(app, email, 2));
    await visitor.press('Create account');
    await visitor.fill('First name', 'Ada');
    await visitor.fill('Password', PASSWORD);
    await visitor.press('Create account');
    await visitor.sees('Check your email');
    const other = await portal.visitor();
    await other.goto(await mailedLink(app, email, 3));
    await other.sees('Join Lovelace Logistics');
    await other.press('Sign in');
    await other.signIn({ email, password });
    await other.press('Accept invitation');
    await other.sees('Members');
  });

  it('keeps the invitation between the pages for the sign-in and for the registration', async () => {
    const email = address();
    await invite(email);
    const field = visitor.page.getByLabel('Email address', { exact: true });
    await visitor.goto(await mailedLink(app, email));
    await visitor.sees('Join Lovelace Logistics');
    for (const [link, heading] of [
      ['Sign in', 'Sign in'],
      ['Create an account', 'Create an account'],
      ['Sign in', 'Sign in'],
    ] as const) {
      await visitor.press(link);
      await visitor.sees(heading);
      expect(await field.inputValue()).toBe(email);
    }
  });

  it('is told of a wrong account, and can switch it', async () => {
    const [guest, other] = [await Person.signUp(app), await Person.signUp(app)];
    await invite(guest.email);
    await visitor.goto('/');
    await visitor.signIn(other);
    await visitor.sees('Organizations');
    await visitor.goto(await mailedLink(app, guest.email, 2));
    await visitor.sees('Wrong account');
    await visitor.reads(
      `The invitation to Lovelace Logistics was sent to ${guest.email}. You are signed in as ${other.email}.`,
    );
    await visitor.press('Switch account');
    await visitor.sees('Join Lovelace Logistics');
    await visitor.press('Sign in');
    await visitor.fill('Password', guest.password);
    await visitor.press('Sign in');
    await visitor.press('Accept invitation');
    await visitor.sees('Members');
  });

  it('is told when the invitation is no longer valid, at each step', async () => {
    const email = address();
    const { body } = await invite(email);
    const link = await mailedLink(app, email);
    await visitor.goto(link);
    await visitor.sees('Join Lovelace Logistics');
    await organization.call('DELETE', `/invitations/${String(body['id'])}`);
    await visitor.page.reload();
    await visitor.sees('This invitation is no longer valid');
    await visitor.page.evaluate(
      `sessionStorage.setItem('gatehouse.invitation', '${new URL(link).searchParams.get('token') ?? ''}')`,
    );
    await visitor.goto('/register?invited');
    await visitor.sees('This invitation is no longer valid');
  });
});
