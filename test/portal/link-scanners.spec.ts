import { ulid } from 'ulid';
import { CHROMIUM } from '../support/chromium.js';
import { Organization, Person } from '../support/organization.js';
import { withPortal } from '../support/portal.js';
import { eventually } from '../support/test-app.js';
import { describeWith } from '../support/tools.js';

const PASSWORD = 'quiet-harbour-42';

/**
 * What mail gateways do with links, after public reports about other services; docs/interop has
 * the links to them.
 */
describeWith([CHROMIUM], 'A link in a mail, opened by programs before its reader,', () => {
  const { app, portal } = withPortal();

  const newEmail = () => `${ulid().toLowerCase()}@example.com`;
  const register = async () => {
    const email = newEmail();
    await app.post('register', { email, password: PASSWORD, firstName: 'Ada' });
    return email;
  };
  /** Returns the address and the token of the newest link to a page. */
  const linkTo = async (page: string, email: string) => {
    const link = async () => {
      const text = (await app.mails(email, 0))
        .join('\n')
        .replace(/=\r?\n/g, '')
        .replaceAll('=3D', '=');
      return new RegExp(`http://[^\\s"<>]*/${page}\\?token=([\\w-]+)`).exec(text);
    };
    await eventually(`a link to ${page} arrives`, async () => (await link()) !== null);
    const [address = '', token = ''] = (await link()) ?? [];
    return { address, token };
  };

  /** A scanner: HEAD, GET, a browser without anything stored, and both at once again. */
  const scan = async (address: string, heading: string) => {
    const agent = { 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/97.0.4692.99' };
    for (const headers of [agent, { 'User-Agent': '' }, { ...agent, 'Sec-Purpose': 'prefetch' }])
      for (const method of ['HEAD', 'GET'])
        expect((await fetch(address, { method, headers, redirect: 'manual' })).status).toBeLessThan(400);
    const visitor = await portal.visitor();
    await visitor.goto(address);
    await visitor.sees(heading);
    await visitor.page.waitForLoadState('networkidle');
    await Promise.all([fetch(address), fetch(address, { method: 'HEAD' })]);
  };

  it('says that it is no longer valid when it has lost a part, before anything is entered', async () => {
    const visitor = await portal.visitor();
    for (const page of [
      'verify-email',
      'reset-password',
      'refuse-registration',
      'cancel-authenticator-reset',
      'confirm-email',
      'undo-email',
    ]) {
      await visitor.goto(`/${page}?token=cut-short`);
      await visitor.sees(/no longer valid/);
    }
  });

  it('verifies an address (supabase/auth#1214, edalzell/laravel-passwordless-login#79)', async () => {
    const { address, token } = await linkTo('verify-email', await register());
    await scan(address, 'Confirm your email address');
    expect((await app.post('verify-email', { token, password: PASSWORD })).status).toBe(204);
  });

  it('resets a password (NiffirgkcaJ/all-in-one-clipboard#41)', async () => {
    const { email } = await Person.signUp(app);
    await app.post('request-password-reset', { email });
    const { address, token } = await linkTo('reset-password', email);
    await scan(address, 'Choose a new password');
    const reset = { token, newPassword: 'a-new-harbour-7' };
    expect((await app.post('reset-password', reset)).status).toBe(204);
  });

  it('confirms and undoes a change of address (onetimesecret/onetimesecret#359)', async () => {
    const [person, email] = [await Person.signUp(app), newEmail()];
    await app.call('PUT', '/api/v1/iam/me/email', { email }, { token: person.token });
    const confirm = await linkTo('confirm-email', email);
    await scan(confirm.address, 'Confirm your new email address');
    expect((await app.post('confirm-email', { token: confirm.token })).status).toBe(204);
    const undo = await linkTo('undo-email', person.email);
    await scan(undo.address, 'Undo the change of your email address');
    expect((await app.post('undo-email', { token: undo.token })).status).toBe(204);
  });

  it('is an invitation', async () => {
    const organization = await Organization.found(app);
    const guest = await Person.signUp(app);
    await organization.call('POST', '/invitations', { email: guest.email, roles: ['member'] });
    const { address, token } = await linkTo('accept-invitation', guest.email);
    await scan(address, 'Join Lovelace Logistics');
    expect((await app.post('accept-invitation', { token }, { token: guest.token })).status).toBeLessThan(300);
  });

  it('ends in a letter or digit, which no program cuts off (pinterest/snappass#73)', async () => {
    for (let n = 0; n < 20; n += 1) {
      const { token } = await linkTo('verify-email', await register());
      expect(token).toMatch(/^[\w-]{42}[A-Za-z0-9]$/);
    }
  });
});
