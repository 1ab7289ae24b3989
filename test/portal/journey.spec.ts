import { CHROMIUM } from '../support/chromium.js';
import { mailedLink, PortalBrowser, startPortal, type Visitor } from '../support/portal.js';
import { Organization, Person } from '../support/organization.js';
import type { TestApp } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const PASSWORD = 'quiet-harbour-42';

/** Tasks of users at the portal, by what they see. */
describeWith([CHROMIUM], 'The portal', () => {
  let app: TestApp;
  let portal: PortalBrowser;
  let visitor: Visitor;
  beforeAll(async () => {
    app = await startPortal();
    portal = await PortalBrowser.open(app.url);
  });
  beforeEach(async () => {
    visitor = await portal.visitor();
  });
  afterEach(() => portal.leave());
  afterAll(async () => {
    await portal.close();
    await app.stop();
  });

  const register = async (email: string, firstName: string) => {
    await visitor.goto('/register');
    await visitor.fill('First name', firstName);
    await visitor.fill('E-mail address', email);
    await visitor.fill('Password', PASSWORD);
    await visitor.fill('Organization', 'Lovelace Logistics');
    await visitor.press('Create the account');
    await visitor.sees('Check your mail');
  };
  /** Returns a signed-in user on the page for choosing an organization. */
  const signedIn = async (person: Person, at: Visitor = visitor) => {
    await at.goto('/');
    await at.signIn(person);
    await at.sees('Organizations');
  };

  it('takes a new user from registration to a new organization', async () => {
    await register('ada@example.com', 'Ada');
    await visitor.press('Send the mail again');
    await visitor.reads('We have sent the mail again.');

    await visitor.goto(await mailedLink(app, 'ada@example.com', 2));
    expect(visitor.page.url()).toBe(`${app.url}/verify-email`); // the token is out of the address
    await visitor.page.reload();
    await visitor.press('Verify my address');
    await visitor.sees('Your address is verified');
    await visitor.press('Sign in');
    await visitor.signIn({ email: 'ada@example.com', password: PASSWORD });

    await visitor.reads('You are in no organization yet');
    await visitor.press('Create an organization');
    expect(await visitor.page.getByLabel('Name', { exact: true }).inputValue()).toBe('Lovelace Logistics');
    await visitor.press('Create the organization');
    await visitor.sees('Members');
    await visitor.reads('ada@example.com');
    await visitor.page.reload();
    await visitor.sees('Members');
  });

  it('shows an error at the field, and removes it when the value is corrected', async () => {
    await visitor.goto('/register');
    await visitor.fill('First name', 'Ada');
    await visitor.fill('E-mail address', 'nonsense');
    await visitor.fill('Password', 'short');
    await visitor.press('Create the account');
    await visitor.page.locator('input[name=email][aria-invalid=true]:focus').waitFor();
    await visitor.fill('Password', PASSWORD);
    await visitor.fill('E-mail address', 'ada@localhost'); // fine to a browser, not to the service
    await visitor.press('Create the account');
    await visitor.reads('This must be an e-mail address.');
    await visitor.fill('E-mail address', 'mended@example.com');
    await visitor.press('Create the account');
    await visitor.sees('Check your mail');
  });

  it('offers a new link in place of a used one', async () => {
    await register('slow@example.com', 'Slow');
    const link = await mailedLink(app, 'slow@example.com');
    await visitor.goto(link);
    await visitor.press('Verify my address');
    await visitor.sees('Your address is verified');
    await visitor.goto(link);
    await visitor.fill('Password', PASSWORD);
    await visitor.press('Verify my address');
    await visitor.sees('This link is not valid any more');
    await visitor.fill('E-mail address', 'slow@example.com');
    await visitor.press('Send a new link');
    await visitor.sees('Check your mail');
    const other = await portal.visitor();
    await other.goto('/verify-email'); // cut short by whatever shows the mail
    await other.sees('This link is not valid any more');
  });

  it('asks in another browser for the password of the registration, by either link', async () => {
    const email = 'crowded@example.com';
    await app.post('register', { email, password: 'chosen-by-a-stranger-1', firstName: 'Eve' });
    const theirs = await mailedLink(app, email);
    await register(email, 'Ada');
    await app.mails(email, 2);
    const other = await portal.visitor();
    await other.goto(theirs);
    await other.fill('Password', 'not-the-password');
    await other.press('Verify my address');
    await other.reads('No registration of this address has this password.');
    await other.fill('Password', PASSWORD);
    await other.press('Verify my address');
    await other.sees('Your address is verified');
    await other.press('Sign in');
    await other.signIn({ email, password: PASSWORD });
    await other.sees('Organizations');
  });

  it('asks for the password where this browser has registered another address', async () => {
    await register('mistyped@example.com', 'Ada');
    const email = 'correct@example.com';
    await app.post('register', { email, password: 'chosen-by-a-stranger-1', firstName: 'Eve' });
    await visitor.goto(await mailedLink(app, email));
    await visitor.page.getByLabel('Password', { exact: true }).waitFor();
  });

  it('keeps neither password nor address of a registration in the browser', async () => {
    await register('traceless@example.com', 'Ada');
    const stored = await visitor.page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])',
    );
    expect(stored).toContain('gatehouse.registered');
    expect(stored).not.toMatch(/quiet|traceless/);
  });

  it('refuses a registration by a stranger, from the mail and from the page of the link', async () => {
    for (const email of ['refused@example.com', 'declined@example.com']) {
      await app.post('register', { email, password: 'chosen-by-a-stranger-1', firstName: 'Eve' });
      const link = await mailedLink(app, email);
      if (email.startsWith('refused'))
        await visitor.goto(link.replace('verify-email', 'refuse-registration'));
      else {
        await visitor.goto(link);
        await visitor.press('This was not me');
      }
      await visitor.sees('Refuse this registration');
      await visitor.press('This was not me');
      await visitor.sees('The registration is refused');
      await visitor.page.reload();
      await visitor.press('This was not me');
      await visitor.sees('This link is not valid any more');
      expect(await app.sql('SELECT 1 FROM pending_registrations WHERE email_key = $1', [email])).toEqual([]);
    }
  });

  it('distinguishes a wrong password from an unverified address', async () => {
    const person = await Person.signUp(app);
    await visitor.goto('/sign-in');
    await visitor.signIn({ email: person.email, password: 'something else' });
    await visitor.reads('The e-mail address or the password is wrong');
    await register('waiting@example.com', 'Waiting');
    await visitor.goto('/sign-in');
    await visitor.signIn({ email: 'waiting@example.com', password: PASSWORD });
    await visitor.reads('Your address is not verified yet');
    await visitor.press('Send the mail again');
    await visitor.reads('We have sent the mail again.');
  });

  it('replaces a forgotten password, and opens the requested page', async () => {
    const person = await Person.signUp(app);
    const { length: mailed } = await app.mails(person.email);
    await visitor.goto('/account/sessions');
    await visitor.press('Forgotten your password?');
    await visitor.fill('E-mail address', person.email);
    await visitor.press('Send the link');
    await visitor.sees('Check your mail');
    await visitor.goto(await mailedLink(app, person.email, mailed + 1));
    await visitor.fill('New password', 'louder-harbour-43');
    await visitor.press('Change the password');
    await visitor.sees('Your password is changed');

    await visitor.goto('/account/sessions?from=a-link');
    await visitor.signIn({ email: person.email, password: 'louder-harbour-43' });
    await visitor.sees('Sessions');
    expect(visitor.page.url()).toBe(`${app.url}/account/sessions?from=a-link`);
  });

  it('redirects to no other site after a sign-in', async () => {
    const person = await Person.signUp(app);
    await visitor.goto('/sign-in?next=https://evil.example/account');
    await visitor.signIn(person);
    await visitor.sees('Organizations');
    expect(new URL(visitor.page.url()).origin).toBe(app.url);
    await visitor.goto('/sign-in?next=/.//evil.example');
    await visitor.sees('Organizations');
    expect(new URL(visitor.page.url()).href).toBe(`${app.url}/organizations`);
  });

  it('removes tokens from the address, whichever page an external sign-in ends at', async () => {
    await visitor.goto('/#access_token=a&refresh_token=b');
    await visitor.sees('Sign in');
    expect(visitor.page.url()).not.toContain('token');
  });

  it('admits a member by an invitation, changes their roles, and removes them', async () => {
    const [owner, guest] = [await Person.signUp(app), await Person.signUp(app)];
    const organization = await Organization.found(app, owner);
    await signedIn(owner);
    await visitor.goto(`/organizations/${organization.id}/members`);
    await visitor.press('Invite a person');
    await visitor.fill('E-mail address', guest.email);
    await visitor.press('Send the invitation');
    await visitor.reads('Waiting');

    const other = await portal.visitor();
    await other.goto(await mailedLink(app, guest.email, 2));
    await other.press('Sign in');
    await other.signIn(guest);
    await other.sees('You have been invited');
    await other.press('Accept the invitation');
    await other.sees('Members');
    expect(await other.page.getByRole('link', { name: 'Invitations' }).count()).toBe(0);

    await visitor.press('Members');
    const theirs = visitor.page.getByRole('listitem').filter({ hasText: guest.email });
    await theirs.getByRole('button').click();
    await visitor.page.getByRole('menuitem', { name: 'Change roles' }).click();
    await visitor.page.getByText('Admin', { exact: true }).click();
    await visitor.press('Save');
    await theirs.getByText('Admin', { exact: true }).waitFor();

    await other.page.reload();
    await other.page.getByRole('link', { name: 'Invitations' }).waitFor();

    await theirs.getByRole('button').click();
    await visitor.page.getByRole('menuitem', { name: 'Remove from the organization' }).click();
    await visitor.press('Remove');
    await theirs.waitFor({ state: 'detached' });
    await other.page.reload();
    await other.sees('You are not a member here');

    await visitor.press('Audit trail');
    for (const deed of [
      'ended a membership',
      'changed the roles of a member',
      'accepted an invitation',
      'created an invitation',
    ])
      await visitor.reads(deed);
  });

  it('revokes an invitation, and explains so at its link', async () => {
    const owner = await Person.signUp(app);
    const organization = await Organization.found(app, owner);
    const guest = await Person.signUp(app);
    await organization.call('POST', '/invitations', { email: guest.email, roles: ['member'] });
    await signedIn(owner);
    await visitor.goto(`/organizations/${organization.id}/invitations`);
    await visitor.choose(`What to do with the invitation of ${guest.email}`, 'Revoke');
    await visitor.press('Revoke');
    await visitor.page.getByRole('listitem').filter({ hasText: guest.email }).getByText('Revoked').waitFor();
    await visitor.press(`What to do with the invitation of ${guest.email}`);
    await visitor.reads('The invitation has been revoked already.');

    const other = await portal.visitor();
    await signedIn(guest, other);
    await other.goto(await mailedLink(app, guest.email, 2));
    await other.press('Accept the invitation');
    await other.sees('This invitation is not valid any more');
  });

  it('creates, changes and deletes a role, and explains why the last owner cannot be removed', async () => {
    const owner = await Person.signUp(app);
    const organization = await Organization.found(app, owner);
    await signedIn(owner);
    await visitor.goto(`/organizations/${organization.id}/roles`);
    await visitor.press('New role');
    await visitor.fill('Name', 'Night shift');
    await visitor.fill('Key', 'admin');
    await visitor.page.getByText('iam:member:read', { exact: true }).last().click();
    await visitor.press('Create the role');
    await visitor.page.getByRole('dialog').getByRole('alert').waitFor(); // there is an admin already
    await visitor.fill('Key', 'night-shift');
    await visitor.press('Create the role');
    await visitor.page
      .getByRole('listitem')
      .filter({ hasText: 'Night shift' })
      .getByText('1 permission')
      .waitFor();
    await visitor.choose('What to do with the role Night shift', 'Change');
    await visitor.fill('Name', 'Late shift');
    await visitor.press('Save');
    await visitor.choose('What to do with the role Late shift', 'Delete');
    await visitor.press('Delete');
    await visitor.page.getByText('Late shift', { exact: true }).waitFor({ state: 'detached' });
    await visitor.press('What to do with the role Owner');
    await visitor.reads('A built-in role cannot be changed or deleted.');
    await visitor.page.keyboard.press('Escape');
    await visitor.press('Members');
    await visitor.press('What to do with Ada');
    await visitor.reads('The last owner can be neither removed nor demoted.');
  });

  it('lets a member leave an organization, and explains why its last owner cannot', async () => {
    const organization = await Organization.found(app);
    const { person } = await organization.join('member');
    await signedIn(person);
    await visitor.goto(`/organizations/${organization.id}/settings`);
    await visitor.press('Leave the organization');
    await visitor.press('Leave');
    await visitor.reads('You have left the organization.');
    await visitor.sees('Organizations');

    const owner = await portal.visitor();
    await signedIn(organization.owner.person, owner);
    await owner.goto(`/organizations/${organization.id}/settings`);
    await owner.reads('The last owner cannot leave. Make another member an owner first.');
  });

  it('opens the members at the bare address of an organization', async () => {
    const { owner, id } = await Organization.found(app);
    const visitor = await portal.visitor();
    await visitor.goto(`/organizations/${id}`);
    await visitor.signIn(owner.person);
    await visitor.sees('Members');
    expect(new URL(visitor.page.url()).pathname).toBe(`/organizations/${id}/members`);
  });

  it('renames, archives and restores an organization', async () => {
    const owner = await Person.signUp(app);
    const organization = await Organization.found(app, owner);
    await signedIn(owner);
    await visitor.goto(`/organizations/${organization.id}/settings`);
    await visitor.fill('Name of the organization', 'Byron Boats');
    await visitor.press('Rename');
    await visitor.page.getByRole('button', { name: 'Byron Boats' }).waitFor();
    await visitor.press('Archive the organization');
    await visitor.press('Archive');
    await visitor.press('Restore the organization');
    await visitor.press('Archive the organization');
  });

  it('shows the decisions of the permission check, and their reasons', async () => {
    const owner = await Person.signUp(app);
    const organization = await Organization.found(app, owner);
    await signedIn(owner);
    await visitor.goto(`/organizations/${organization.id}/playground`);
    await visitor.page.getByRole('button', { name: /Asked about/ }).click();
    await visitor.page.getByRole('option', { name: 'Member: Ada' }).click();
    await visitor.fill('Further permissions', 'shipments:shipment:cancel');
    await visitor.press('Ask');
    await visitor.reads('There is no such permission.');
    const verdicts = visitor.page.getByRole('region', { name: 'Verdicts' });
    expect(await verdicts.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/iam:member:remove[^]*last owner[^]*state_forbids[^]*No/),
      expect.stringMatching(/iam:member:update[^]*last owner[^]*state_forbids[^]*No/),
      expect.stringMatching(/shipments:shipment:cancel[^]*unknown_scope[^]*No/),
    ]);
  });

  it('changes profile and password', async () => {
    const person = await Person.signUp(app);
    await signedIn(person);
    await visitor.goto('/account');
    await visitor.fill('First name', 'Augusta');
    await visitor.fill('Country', 'GB');
    await visitor.press('Save');
    await visitor.page.getByRole('button', { name: 'My account: Augusta' }).waitFor();
    await visitor.press('Password');
    await visitor.fill('Current password', 'something else');
    await visitor.fill('New password', 'louder-harbour-43');
    await visitor.press('Change the password');
    await visitor.reads('The current password is wrong.');
    await visitor.fill('Current password', person.password);
    await visitor.press('Change the password');
    await visitor.reads('Your password is changed. All other devices are signed out.');
    await visitor.press('Audit trail');
    await visitor.reads('changed the password');
    await visitor.reads('had wrong passwords tried on the account');
    await visitor.reads('Once from the network');
    expect((await app.login({ ...person, password: 'louder-harbour-43' })).accessToken).not.toBe('');
  });

  it('ends one session, all others, and this one', async () => {
    const person = await Person.signUp(app);
    await signedIn(person);
    const phone = await portal.visitor({
      userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0) Mobile/15E148 Safari/604.1',
    });
    await signedIn(person, phone);
    await visitor.goto('/account/sessions');
    await visitor.press('End the session on Safari on iPhone');
    await visitor.reads('The session on Safari on iPhone has ended.');
    await phone.press('New organization');
    await phone.reads('Your session has ended');
    await phone.signIn(person);
    await phone.sees('New organization');

    await visitor.press('Sign out all other devices');
    await visitor.press('Sign out');
    await visitor.reads('All other devices are signed out.');
    await visitor.page.getByText('iPhone').waitFor({ state: 'detached' });
    await phone.page.reload();
    await phone.reads('Your session has ended');

    await visitor.press('Sign out here');
    await visitor.reads('You have signed out.');
    await visitor.goto('/account/sessions');
    await visitor.sees('Sign in');
  });

  it('erases an account after its address is typed', async () => {
    const person = await Person.signUp(app);
    await signedIn(person);
    await visitor.goto('/account/erase');
    const erase = visitor.page.getByRole('button', { name: 'Erase my account' });
    expect(await erase.isDisabled()).toBe(true);
    await visitor.fill(`To go on, type ${person.email}`, person.email);
    await erase.click();
    await visitor.sees('Sign in');
    await visitor.reads('Your account is erased.');
    const { email, password } = person;
    expect((await app.post('login', { email, password })).status).toBe(401);
  });

  it('shows the mails of local development', async () => {
    await register('tester@example.com', 'Tester');
    await visitor.press('development mailbox');
    await visitor.page
      .getByRole('article')
      .filter({ hasText: 'tester@example.com' })
      .getByRole('link', { name: 'Verify this address' })
      .click();
    await visitor.press('Verify my address');
    await visitor.sees('Your address is verified');
  });

  it('works without a mouse, and moves the focus visibly', async () => {
    const person = await Person.signUp(app);
    const organization = await Organization.found(app, person);
    const { keyboard } = visitor.page;
    const focusIsOn = (text: string) => visitor.page.locator(':focus', { hasText: text }).waitFor();
    await visitor.goto('/');
    await visitor.page.locator('input[name=email]:focus').waitFor();
    await keyboard.type(person.email);
    await keyboard.press('Tab');
    await keyboard.type(person.password);
    await keyboard.press('Enter');
    await visitor.sees('Organizations');
    await visitor.goto(`/organizations/${organization.id}/members`);
    await visitor.sees('Members');
    await keyboard.press('Tab');
    await focusIsOn('Skip to the content');
    await keyboard.press('Enter');
    await keyboard.press('Tab');
    await focusIsOn('Invite a person');
    await keyboard.press('Enter');
    await visitor.page.locator('[role=dialog] input:focus').waitFor();
    await keyboard.type('grace@example.com');
    await keyboard.press('Escape');
    await visitor.page.getByRole('dialog').waitFor({ state: 'detached' });
    await visitor.page.getByRole('link', { name: 'Roles' }).focus();
    await keyboard.press('Enter');
    await visitor.sees('Roles');
    await focusIsOn('Roles');
    expect(await visitor.page.title()).toBe('Roles · Gatehouse');
  });
});
