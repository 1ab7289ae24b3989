import { CHROMIUM } from '../support/chromium.js';
import { Organization, Person } from '../support/organization.js';
import { mailedLink, withPortal, withVisitor } from '../support/portal.js';
import { describeWith } from '../support/tools.js';

const PASSWORD = 'quiet-harbour-42';

describeWith([CHROMIUM], 'An invited person, at the portal', () => {
  let organization: Organization;
  let counter = 0;
  const { app, portal } = withPortal();
  const visitor = withVisitor(portal);
  beforeEach(async () => {
    organization = await Organization.found(app);
  });

  const address = () => `newcomer-${(counter += 1)}@example.com`;
  const invite = (email: string) => organization.call('POST', '/invitations', { email, roles: ['member'] });
  const open = async (email: string, mail = 1): Promise<void> => {
    await visitor.goto(await mailedLink(app, email, mail));
    await visitor.sees('Join Lovelace Logistics');
    await visitor.reads('Ada invites you as Member.');
    expect(visitor.page.url()).toBe(`${app.url}/accept-invitation`); // no token in the address
  };

  it('becomes a member by one mail, one form and one password', async () => {
    const email = address();
    await invite(email);
    await open(email);
    const field = visitor.page.getByLabel('Email address', { exact: true });
    expect([await field.inputValue(), await field.isEditable()]).toEqual([email, false]);
    await visitor.fill('First name', 'Grace');
    await visitor.fill('Last name', 'Hopper');
    await visitor.fill('Password', PASSWORD);
    await visitor.press('Create account and join');
    await visitor.sees('Members');
    await visitor.reads('Welcome. You are a member now.');
    await visitor.reads(email);
    expect(await app.mails(email)).toHaveLength(1);
  });

  it('is told that the address has an account, signs in and accepts', async () => {
    const { email, password } = await Person.signUp(app);
    await invite(email);
    await open(email, 2);
    await visitor.fill('First name', 'Ada');
    await visitor.fill('Password', PASSWORD);
    await visitor.press('Create account and join');
    await visitor.reads('This address has an account.');
    await visitor.press('Sign in');
    await visitor.fill('Password', password);
    await visitor.press('Sign in');
    await visitor.press('Accept invitation');
    await visitor.sees('Members');
  });

  it('keeps the invitation between its page and the page for the sign-in', async () => {
    const email = address();
    await invite(email);
    await open(email);
    const field = visitor.page.getByLabel('Email address', { exact: true });
    for (const [link, heading] of [
      ['Sign in', 'Sign in'],
      ['Create an account', 'Join Lovelace Logistics'],
      ['Sign in', 'Sign in'],
    ] as const) {
      await visitor.press(link);
      await visitor.sees(heading);
      expect(await field.inputValue()).toBe(email);
    }
  });

  it('comes back to the invitation from the mail about a registration of the address', async () => {
    const email = address();
    await invite(email);
    const invitation = new URL(await mailedLink(app, email)).searchParams.get('token');
    await app.post('register', { email, password: PASSWORD, firstName: 'Grace', invitation });
    await visitor.goto(await mailedLink(app, email, 2));
    await visitor.fill('Password', PASSWORD);
    await visitor.press('Confirm email address');
    await visitor.press('Sign in');
    await visitor.fill('Password', PASSWORD);
    await visitor.press('Sign in');
    await visitor.press('Accept invitation');
    await visitor.sees('Members');
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
    await visitor.goto('/accept-invitation');
    await visitor.sees('This invitation is no longer valid');
  });
});
