import { claimsOf, signedInAgo } from '../../support/aged.js';
import { byTwoFactors, login, TestTotp } from '../../support/factors.js';
import { Person } from '../../support/organization.js';
import { type Ceremony, SoftAuthenticator } from '../../support/soft-authenticator.js';
import { eventually, QUIET, tokenIn, withApp } from '../../support/test-app.js';

const ME = '/api/v1/iam/me';
const AUTHENTICATORS = `${ME}/authenticators`;

describe('A removed password', () => {
  const app = withApp();

  const remove = (token: string) => app.call('DELETE', `${ME}/password`, undefined, { token });

  /** Adds a passkey in a session that has just been confirmed. @returns it, and its id */
  async function addPasskey({ token }: { token: string }) {
    const passkey = new SoftAuthenticator(QUIET.PUBLIC_URL);
    const { body } = await app.call('POST', `${AUTHENTICATORS}/passkeys/options`, undefined, { token });
    const answer = passkey.register(body as unknown as Ceremony);
    const added = await app.call('POST', `${AUTHENTICATORS}/passkeys`, answer, { token });
    expect(added.status).toBe(201);
    return passkey;
  }

  const signIn = async (passkey: SoftAuthenticator) => {
    const { body } = await app.post('passkeys/options', {});
    return app.post('passkeys/login', passkey.assert(body as unknown as Ceremony));
  };

  /** A person with one passkey and its recovery codes, signed in by it. */
  async function withPasskey() {
    const person = await Person.signUp(app);
    const passkey = await addPasskey(person);
    const { status, body } = await signIn(passkey);
    expect(status).toBe(200);
    return { person, passkey, token: String(body['accessToken']) };
  }

  it('needs two passkeys, or one and recovery codes', async () => {
    const without = await Person.signUp(app);
    expect((await remove(without.token)).status).toBe(409);
    await TestTotp.enrol(app, without.token); // with recovery codes, but nothing to sign in by
    expect((await remove(byTwoFactors(app, without.token))).status).toBe(409);
    const { person, token } = await withPasskey();
    await app.sql('DELETE FROM recovery_codes WHERE account_id = $1', [person.id]);
    expect((await remove(token)).status).toBe(409);
    expect((await login(app, person)).status).toBe(403);
    await addPasskey({ token });
    expect((await remove(token)).status).toBe(204);
    const { token: other } = await withPasskey();
    expect((await remove(other)).status).toBe(204);
  });

  it('no longer signs in, ends the other sessions, and is told', async () => {
    const { person, passkey, token } = await withPasskey();
    expect((await remove(token)).status).toBe(204);
    expect((await login(app, person)).status).toBe(401);
    expect((await app.get(ME, token)).status).toBe(200);
    expect((await app.get(ME, person.token)).status).toBe(401);
    const { body } = await signIn(passkey);
    expect(claimsOf(body['accessToken'])).toMatchObject({ acr: 'phr' });
    const mails = await app.mails(person.email, 3);
    expect(mails.filter((mail) => mail.includes('Subject: Password removed'))).toHaveLength(1);
    expect((await remove(token)).status).toBe(204);
    const told = await app.sql(
      "SELECT 1 FROM audit_events WHERE account_id = $1 AND action = 'account.password-removed'",
      [person.id],
    );
    expect(told).toHaveLength(1);
  });

  it('needs a recent sign-in by passkey', async () => {
    const { token, person } = await withPasskey();
    const { body } = await app.post('step-up', { method: 'password', password: person.password }, { token });
    const { accessToken } = await signedInAgo(app, person);
    expect(await remove(accessToken)).toMatchObject({ status: 401, body: { acr: 'aal2' } });
    expect((await remove(String(body['accessToken']))).status).toBe(204);
  });

  it('can be set again by mail, which does not replace the second factor', async () => {
    const { person, token } = await withPasskey();
    await remove(token);
    await app.post('request-password-reset', { email: person.email });
    const reset = async () => (await app.mails(person.email)).find((mail) => mail.includes('reset-password'));
    await eventually('the link arrives', async () => (await reset()) !== undefined);
    const newPassword = 'louder-harbour-43';
    const set = await app.post('reset-password', { token: tokenIn((await reset()) ?? ''), newPassword });
    expect(set.status).toBe(204);
    expect(await app.post('login', { email: person.email, password: newPassword })).toMatchObject({
      status: 403,
      body: { type: '/errors/second-factor-required' },
    });
  });
});
