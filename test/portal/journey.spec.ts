import type { Locator } from 'playwright-core';
import { CHROMIUM } from '../support/chromium.js';
import { mailedLink, withPortal, type Visitor, withVisitor } from '../support/portal.js';
import { Organization, Person } from '../support/organization.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const PASSWORD = 'quiet-harbour-42';

/** Tasks of users at the portal, by what they see. */
describeWith([CHROMIUM], 'The portal', () => {
  const { app, portal } = withPortal();
  const visitor = withVisitor(portal);

  const register = async (email: string, firstName: string) => {
    await visitor.goto('/register');
    await visitor.fill('First name', firstName);
    await visitor.fill('Email address', email);
    await visitor.fill('Password', PASSWORD);
    await visitor.fill('Organization', 'Lovelace Logistics');
    await visitor.press('Create account');
    await visitor.sees('Check your email');
  };
  /** Returns a signed-in user on the page for choosing an organization. */
  const signedIn = async (person: Person, at: Visitor = visitor) => {
    await at.goto('/');
    await at.signIn(person);
    await at.sees('Organizations');
  };

  it('takes a new user from registration to a new organization', async () => {
    await register('ada@example.com', 'Ada');
    await visitor.press('Resend email');
    await visitor.reads('We have sent the email again.');

    await visitor.goto(await mailedLink(app, 'ada@example.com', 2));
    expect(visitor.page.url()).toBe(`${app.url}/verify-email`); // the token is out of the address
    await visitor.page.reload();
    await visitor.press('Confirm email address');
    await visitor.sees('Your email address is confirmed');
    await visitor.press('Sign in');
    await visitor.signIn({ email: 'ada@example.com', password: PASSWORD });

    await visitor.reads('No organization yet');
    await visitor.press('Create organization');
    expect(await visitor.page.getByLabel('Name', { exact: true }).inputValue()).toBe('Lovelace Logistics');
    await visitor.press('Create organization');
    await visitor.sees('Overview');
    await visitor.reads('Invite your colleagues');
    await visitor.press('Members');
    await visitor.sees('Members');
    await visitor.reads('ada@example.com');
    await visitor.page.reload();
    await visitor.sees('Members');
  });

  it('shows an error at the field, and removes it when the value is corrected', async () => {
    await visitor.goto('/register');
    await visitor.fill('First name', 'Ada');
    await visitor.fill('Email address', 'nonsense');
    await visitor.fill('Password', 'short');
    await visitor.press('Create account');
    await visitor.page.locator('input[name=email][aria-invalid=true]:focus').waitFor();
    await visitor.fill('Password', PASSWORD);
    await visitor.fill('Email address', 'ada@localhost'); // fine to a browser, not to the service
    await visitor.press('Create account');
    await visitor.reads('This must be an email address.');
    await visitor.fill('Email address', 'mended@example.com');
    await visitor.press('Create account');
    await visitor.sees('Check your email');
  });

  it('masks passwords, and tells password managers which one each is', async () => {
    const fieldOf = async (path: string) => {
      await visitor.goto(path);
      const field = visitor.page.getByLabel('Password', { exact: true });
      await field.fill(PASSWORD);
      return [await field.getAttribute('type'), await field.getAttribute('autocomplete')];
    };
    expect(await fieldOf('/sign-in')).toEqual(['password', 'current-password']);
    expect(await fieldOf('/register')).toEqual(['password', 'new-password']);
  });

  it('offers a new link in place of a used one', async () => {
    await register('slow@example.com', 'Slow');
    const link = await mailedLink(app, 'slow@example.com');
    await visitor.goto(link);
    await visitor.press('Confirm email address');
    await visitor.sees('Your email address is confirmed');
    await visitor.goto(link);
    await visitor.fill('Password', PASSWORD);
    await visitor.press('Confirm email address');
    await visitor.sees('This link is no longer valid');
    await visitor.fill('Email address', 'slow@example.com');
    await visitor.press('Send a new link');
    await visitor.sees('Check your email');
    const other = await portal.visitor();
    await other.goto('/verify-email'); // cut short by whatever shows the mail
    await other.sees('This link is no longer valid');
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
    await other.press('Confirm email address');
    await other.reads('No registration of this address has this password.');
    await other.fill('Password', PASSWORD);
    await other.press('Confirm email address');
    await other.sees('Your email address is confirmed');
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
      await visitor.sees('Registration refused');
      await visitor.page.reload();
      await visitor.press('This was not me');
      await visitor.sees('This link is no longer valid');
      expect(await app.sql('SELECT 1 FROM pending_registrations WHERE email_key = $1', [email])).toEqual([]);
    }
  });

  it('distinguishes a wrong password from an unverified address', async () => {
    const person = await Person.signUp(app);
    await visitor.goto('/sign-in');
    await visitor.signIn({ email: person.email, password: 'something else' });
    await visitor.reads('Wrong email address or password');
    await register('waiting@example.com', 'Waiting');
    await visitor.goto('/sign-in');
    await visitor.signIn({ email: 'waiting@example.com', password: PASSWORD });
    await visitor.reads('Your email address is not verified yet');
    await visitor.press('Resend email');
    await visitor.reads('We have sent the email again.');
  });

  it('replaces a forgotten password, and opens the requested page', async () => {
    const person = await Person.signUp(app);
    const { length: mailed } = await app.mails(person.email);
    await visitor.goto('/account/sessions');
    await visitor.press('Forgot password?');
    await visitor.fill('Email address', person.email);
    await visitor.press('Send link');
    await visitor.sees('Check your email');
    await visitor.goto(await mailedLink(app, person.email, mailed + 1));
    await visitor.fill('New password', 'louder-harbour-43');
    await visitor.press('Change password');
    await visitor.sees('Password changed');

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
    await visitor.press('Invite members');
    await visitor.fill('Email addresses', guest.email);
    await visitor.press('Send invitation');
    await visitor.reads('Pending');

    const other = await portal.visitor();
    await other.goto(await mailedLink(app, guest.email, 2));
    await other.press('Sign in');
    await other.signIn(guest);
    await other.sees('Join Lovelace Logistics');
    await other.press('Accept invitation');
    await other.sees('Members');
    expect(await other.page.getByRole('link', { name: 'Invitations' }).count()).toBe(0);

    await visitor.press('Members');
    const theirs = visitor.page.getByRole('row').filter({ hasText: guest.email });
    await theirs.getByRole('button').click();
    await visitor.page.getByRole('menuitem', { name: 'Change roles' }).click();
    await visitor.page.getByRole('dialog').getByText('Admin', { exact: true }).click();
    await visitor.press('Save');
    await theirs.getByTitle(/^(?:Member, )?Admin(?:, Member)?$/).waitFor();

    await other.page.reload();
    await other.page.getByRole('link', { name: 'Invitations' }).waitFor();

    await theirs.getByRole('button').click();
    await visitor.page.getByRole('menuitem', { name: 'Remove from organization' }).click();
    await visitor.press('Remove');
    await theirs.waitFor({ state: 'detached' });
    await other.page.reload();
    await other.sees('You don’t have access to this organization');

    await visitor.press('Audit log');
    for (const deed of [
      'removed a member',
      'changed the roles of a member',
      'accepted an invitation',
      'invited a member',
    ])
      await visitor.reads(deed);
  });

  it('finds members by name, address and role', async () => {
    const owner = await Person.signUp(app);
    const organization = await Organization.found(app, owner);
    const grace = await organization.join('admin');
    await signedIn(owner);
    await visitor.goto(`/organizations/${organization.id}/members`);
    await visitor.reads('2 members');
    await visitor.fill('Search by name or email', grace.person.email.slice(0, 20));
    await visitor.reads('1 member');
    await visitor.reads(grace.person.email);
    await visitor.fill('Search by name or email', 'zzz-');
    await visitor.reads('No members found');
    await visitor.fill('Search by name or email', '');
    await visitor.page.getByRole('button', { name: /^All roles/ }).click();
    await visitor.page.getByRole('option', { name: 'Owner' }).click();
    await visitor.reads('1 member');
    await visitor.reads(owner.email);
  });

  it('invites several pasted addresses, and says which it could not', async () => {
    const owner = await Person.signUp(app);
    const organization = await Organization.found(app, owner);
    await signedIn(owner);
    await visitor.goto(`/organizations/${organization.id}/invitations?new`);
    const pasted = `Name;Address\nAda;ada.lovelace@hopper.example\nMe;${owner.email}\n"G" <grace@hopper.example>`;
    await visitor.fill('Email addresses', pasted);
    await visitor.reads('Left out, since they are no email addresses: Name, Address, Ada, …');
    await visitor.press('Send 3 invitations');
    await visitor.reads('Already invited or a member');
    await visitor.reads('2 invitations sent.');
    expect(await visitor.page.getByLabel('Email addresses').inputValue()).toBe(owner.email);
    await visitor.page.keyboard.press('Escape');
    await visitor.reads('2 invitations');
    await visitor.reads('in 7 days');
    await visitor.choose('Actions for the invitation of grace@hopper.example', 'Resend');
    await visitor.reads('Invitation to grace@hopper.example sent again.');
    expect(await app.mails('grace@hopper.example', 2)).toHaveLength(2);
    const inDialog = (name: string) =>
      visitor.page
        .getByRole('dialog')
        .or(visitor.page.getByRole('alertdialog'))
        .getByRole('button', { name });
    const chooseAll = async (deed: string) => {
      await visitor.page.getByRole('checkbox', { name: 'Select all' }).check({ force: true });
      await visitor.reads('2 selected');
      await visitor.press(deed);
      await inDialog(deed).click();
    };
    await chooseAll('Resend');
    await visitor.reads('2 invitations sent again.');
    expect(await app.mails('ada.lovelace@hopper.example', 2)).toHaveLength(2);
    await app.sql("UPDATE invitations SET accepted_at = now() WHERE email = 'ada.lovelace@hopper.example'");
    await chooseAll('Revoke');
    await visitor.reads('Refused for 1 invitation');
    await visitor.reads('ada.lovelace@hopper.example: The invitation has been accepted already.');
    await inDialog('Close').click();
    await visitor.reads('No pending invitations');
  });

  it('revokes an invitation, and explains so at its link', async () => {
    const owner = await Person.signUp(app);
    const organization = await Organization.found(app, owner);
    const guest = await Person.signUp(app);
    await organization.call('POST', '/invitations', { email: guest.email, roles: ['member'] });
    await signedIn(owner);
    await visitor.goto(`/organizations/${organization.id}/invitations`);
    await visitor.choose(`Actions for the invitation of ${guest.email}`, 'Revoke');
    await visitor.press('Revoke');
    await visitor.reads('No pending invitations');
    await visitor.page.getByRole('button', { name: /Status/ }).click();
    await visitor.page.getByRole('option', { name: 'All' }).click();
    const row = visitor.page.getByRole('row', { name: guest.email });
    await row.getByText('Revoked').filter({ visible: true }).waitFor();
    await visitor.reads('1 invitation');

    const other = await portal.visitor();
    await signedIn(guest, other);
    await other.goto(await mailedLink(app, guest.email, 2));
    await other.sees('This invitation is no longer valid');
  });

  it('creates, changes and deletes a role, and explains why the last owner cannot be removed', async () => {
    const owner = await Person.signUp(app);
    const organization = await Organization.found(app, owner);
    await signedIn(owner);
    await visitor.goto(`/organizations/${organization.id}/roles`);
    await visitor.press('New role');
    const dialog = visitor.page.getByRole('dialog');
    const permissions = dialog.getByRole('checkbox');
    await visitor.fill('Name', 'Équipe de nuit 2');
    expect(await dialog.getByLabel('Key', { exact: true }).inputValue()).toBe('equipe-de-nuit-2');
    await visitor.press('Create role');
    await permissions.first().waitFor(); // the first group opens for the field that has the focus
    const refusal = await dialog.getByText('Choose at least one').boundingBox();
    const firstPermission = await permissions.first().boundingBox();
    expect(refusal?.y).toBeLessThan(Number(firstPermission?.y)); // not below seventy permissions
    expect(await dialog.getByRole('button', { name: 'Create role' }).isVisible()).toBe(true);
    const group = (name: string) => dialog.locator('summary').filter({ hasText: name });
    await dialog.getByLabel('Search permissions').fill('invite people');
    await eventually('the others are hidden', async () => (await permissions.count()) === 1);
    await visitor.press('Select all: Invitations');
    await dialog.getByLabel('Search permissions').fill('');
    await eventually('all are folded', async () => (await permissions.count()) === 0);
    await group('Invitations')
      .getByText(/^1 of \d+ selected$/)
      .waitFor();
    await group('Members').click();
    await visitor.press('Select all: Members');
    expect(await dialog.getByRole('checkbox', { checked: true }).count()).toBe(5);
    await group('Members').getByText('5 of 5 selected').waitFor();
    await visitor.press('Select none: Members');
    await visitor.fill('Name', 'Night shift');
    await visitor.fill('Key', 'admin');
    await visitor.press('Create role');
    await visitor.page.getByRole('dialog').getByRole('alert').waitFor(); // there is an admin already
    await visitor.fill('Key', 'night-shift');
    await visitor.press('Create role');
    await visitor.page
      .getByRole('row')
      .filter({ hasText: 'Night shift' })
      .getByText('1 permission')
      .waitFor();
    await visitor.choose('Actions for the role Night shift', 'Edit');
    await visitor.fill('Name', 'Late shift');
    await visitor.press('Save');
    await visitor.choose('Actions for the role Late shift', 'Delete');
    await visitor.press('Delete');
    await visitor.page.getByRole('row').filter({ hasText: 'Late shift' }).waitFor({ state: 'detached' });
    await visitor.press('Actions for the role Owner');
    await visitor.reads('A built-in role cannot be changed or deleted.');
    await visitor.page.keyboard.press('Escape');
    await visitor.press('Members');
    await visitor.press('Actions for Ada');
    await visitor.reads('The last owner can be neither removed nor demoted.');
  });

  it('lets a member leave an organization, and explains why its last owner cannot', async () => {
    const organization = await Organization.found(app);
    const { person } = await organization.join('member');
    await signedIn(person);
    await visitor.goto(`/organizations/${organization.id}/settings`);
    await visitor.press('Leave organization');
    await visitor.press('Leave');
    await visitor.reads('You have left the organization.');
    await visitor.sees('Organizations');

    const owner = await portal.visitor();
    await signedIn(organization.owner.person, owner);
    await owner.goto(`/organizations/${organization.id}/settings`);
    await owner.reads('The last owner cannot leave. Make another member an owner first.');
  });

  it('opens the overview at the bare address of an organization', async () => {
    const { owner, id } = await Organization.found(app);
    const visitor = await portal.visitor();
    await visitor.goto(`/organizations/${id}`);
    await visitor.signIn(owner.person);
    await visitor.sees('Overview');
    expect(new URL(visitor.page.url()).pathname).toBe(`/organizations/${id}/overview`);
  });

  it('renames, archives and restores an organization', async () => {
    const owner = await Person.signUp(app);
    const organization = await Organization.found(app, owner);
    await signedIn(owner);
    await visitor.goto(`/organizations/${organization.id}/settings`);
    await visitor.fill('Name of the organization', 'Byron Boats');
    await visitor.press('Rename');
    await visitor.page.getByRole('button', { name: 'Byron Boats' }).waitFor();
    await visitor.press('Archive organization');
    await visitor.press('Archive');
    await visitor.press('Restore organization');
    await visitor.press('Archive organization');
  });

  it('tests what another member may do, with the role that gives it', async () => {
    const owner = await Person.signUp(app);
    const organization = await Organization.found(app, owner);
    const { person } = await organization.join('member');
    await signedIn(owner);
    await visitor.goto(`/organizations/${organization.id}/playground`);
    await visitor.fill('Search members', person.email);
    await visitor.page.getByRole('button', { name: /^Myself, in this session/ }).click();
    await visitor.page.getByRole('option', { name: new RegExp(person.email) }).click();
    await visitor.fill('Other permissions', 'iam:member:read platform:person:read');
    await visitor.press('Check');
    const verdicts = visitor.page.getByRole('region', { name: /^Results for / });
    await verdicts.waitFor();
    expect(await verdicts.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/iam:member:update[^]*scope_not_held[^]*No/),
      expect.stringMatching(/iam:member:remove[^]*scope_not_held[^]*No/),
      expect.stringMatching(/iam:member:read[^]*By the role Member\.[^]*Yes/),
      expect.stringMatching(/platform:person:read[^]*scope_not_held[^]*No/),
    ]);
  });

  it('shows the decisions of the permission check, and their reasons', async () => {
    const owner = await Person.signUp(app);
    const organization = await Organization.found(app, owner);
    await signedIn(owner);
    await visitor.goto(`/organizations/${organization.id}/playground`);
    await visitor.page.getByRole('button', { name: /Resource/ }).click();
    await visitor.page.getByRole('option', { name: 'Member: Ada' }).click();
    const check = visitor.page.getByRole('button', { name: 'Check', exact: true });
    const members = visitor.page.locator('summary').filter({ hasText: /^Members/ });
    await members.getByText(/^2 of \d+ selected$/).waitFor();
    await visitor.fill('Search permissions', 'iam:member:read');
    const read = visitor.page.getByRole('checkbox', { name: /iam:member:read/ });
    await read.focus();
    const bottom = async (at: Locator) =>
      at.boundingBox().then((box) => Number(box?.y) + Number(box?.height));
    expect(await bottom(read)).toBeLessThan(Number((await check.boundingBox())?.y)); // not covered
    await visitor.fill('Search permissions', '');
    await read.waitFor({ state: 'detached' });
    expect(await visitor.page.getByRole('checkbox').count()).toBe(0);
    await visitor.page.evaluate('scrollTo(0, 0)');
    expect(await bottom(check)).toBeLessThanOrEqual(Number(visitor.page.viewportSize()?.height));
    await visitor.fill('Other permissions', 'shipments:shipment:cancel');
    await visitor.press('Check');
    await visitor.reads('There is no such permission.');
    const verdicts = visitor.page.getByRole('region', { name: 'Results' });
    expect(await verdicts.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/iam:member:update[^]*last owner[^]*state_forbids[^]*No/),
      expect.stringMatching(/iam:member:remove[^]*last owner[^]*state_forbids[^]*No/),
      expect.stringMatching(/shipments:shipment:cancel[^]*unknown_scope[^]*No/),
    ]);
  });

  it('changes profile and password', async () => {
    const person = await Person.signUp(app);
    await signedIn(person);
    await visitor.goto('/account');
    await visitor.fill('First name', 'Augusta');
    const country = visitor.page.getByRole('combobox', { name: /Country/ });
    await country.click(); // may scroll the page, which closes the list
    await country.fill('united king');
    await visitor.page.getByRole('option', { name: 'United Kingdom' }).click();
    await visitor.press('Save');
    await visitor.page.getByRole('button', { name: 'My account: Augusta' }).waitFor();
    await visitor.press('Password');
    await visitor.fill('Current password', 'something else');
    await visitor.fill('New password', 'louder-harbour-43');
    await visitor.press('Change password');
    await visitor.reads('The current password is wrong.');
    await visitor.fill('Current password', person.password);
    await visitor.press('Change password');
    await visitor.reads('Password changed. All other devices are signed out.');
    await visitor.press('Audit log');
    await visitor.reads('changed the password');
    await visitor.reads('had failed sign-ins');
    const failed = visitor.page.locator('.deed', { hasText: 'had failed sign-ins' });
    await failed.getByRole('button', { name: 'Details' }).click();
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
    await visitor.press('Revoke the session on Safari on iPhone');
    await visitor.reads('Session on Safari on iPhone revoked.');
    await phone.press('New organization');
    await phone.reads('Your session has ended');
    await phone.signIn(person);
    await phone.sees('New organization');

    await visitor.press('Sign out other devices');
    await visitor.press('Sign out');
    await visitor.reads('Other devices are signed out.');
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
    const erase = visitor.page.getByRole('button', { name: 'Delete my account' });
    expect(await erase.isDisabled()).toBe(true);
    await visitor.fill(`Type ${person.email} to confirm`, person.email);
    await erase.click();
    await visitor.sees('Sign in');
    await visitor.reads('Account deleted.');
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
    await visitor.press('Confirm email address');
    await visitor.sees('Your email address is confirmed');
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
    await focusIsOn('Skip to content');
    await keyboard.press('Enter');
    await keyboard.press('Tab');
    await focusIsOn('Export');
    await keyboard.press('Tab');
    await focusIsOn('Invite members');
    await keyboard.press('Enter');
    await visitor.page.locator('[role=dialog] textarea:focus').waitFor();
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
