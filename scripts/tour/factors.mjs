import { codeOf, stepAt } from '../../dist/src/authenticator/totp/totp-code.js';
import { SoftAuthenticator } from '../../test/support/soft-authenticator.ts';
import { requireFactors } from './sign-in-policy.mjs';

const AUTH = '/api/v1/iam/auth';
const ME = '/api/v1/iam/me';

/**
 * Second factors of a person: enrolment, sign-in, step-up, an organization that requires them, and
 * recovery.
 * @param tour see Tour
 */
export async function factors(tour) {
  const person = { email: 'ada@example.com', password: 'quiet-harbour-42' };
  const session = await register(tour, person);
  const app = await enrolApp(tour, person, session);
  await signInByCode(tour, person, app);
  const passkey = await enrolPasskey(tour, person, app);
  await signInByPasskey(tour, person, passkey);
  const deviceToken = await stepUp(tour, person, passkey);
  await requireFactors(tour, { ...person, deviceToken }, passkey);
  await recover(tour, person, app);
  await end(tour, person, passkey);
}

/** Registers, verifies the address and signs in by password. */
async function register({ call, step, mailedToken }, person) {
  step('Registers; a password is one factor: aal1');
  await call(202, 'POST', `${AUTH}/register`, { ...person, firstName: 'Ada' });
  await call(204, 'POST', `${AUTH}/verify-email`, { token: await mailedToken(person.email) });
  return call(200, 'POST', `${AUTH}/login`, person);
}

/** Adds an authenticator app. */
async function enrolApp({ call, step, notice, says }, person, { accessToken }) {
  step('Adds an authenticator app, which counts once a code of it is entered');
  const app = await call(201, 'POST', `${ME}/authenticators/totp`, undefined, accessToken);
  const confirm = `${ME}/authenticators/totp/${app.id}/confirm`;
  const codes = codesOf(app.secret);
  await call(400, 'POST', confirm, { code: '000000x' }, accessToken);
  const confirmed = await call(200, 'POST', confirm, { code: codes.next(), name: 'Phone' }, accessToken);
  says('Ten recovery codes are shown once.', confirmed.recoveryCodes.length === 10);
  await notice(person.email);
  return { codes, recoveryCodes: confirmed.recoveryCodes };
}

/** Signs in by password and code; trusts the device. */
async function signInByCode({ call, step, says }, person, { codes }) {
  step('Signs in by password and code: aal2');
  const first = await call(403, 'POST', `${AUTH}/login`, person);
  const answer = { challenge: first.challenge, method: 'totp' };
  await call(401, 'POST', `${AUTH}/second-factor`, { ...answer, code: '000000' });
  const code = codes.next();
  const second = { ...answer, code, rememberDevice: true };
  const tokens = await call(200, 'POST', `${AUTH}/second-factor`, second);
  says('The session is of two factors.', claimsOf(tokens).acr === 'aal2');
  const again = await call(403, 'POST', `${AUTH}/login`, person);
  const replayed = { challenge: again.challenge, method: 'totp', code };
  await call(401, 'POST', `${AUTH}/second-factor`, replayed);

  step('The trusted device stands in for the code, and proves nothing');
  const trusted = await call(200, 'POST', `${AUTH}/login`, { ...person, deviceToken: tokens.deviceToken });
  says('The session is of one factor.', claimsOf(trusted).acr === 'aal1');
  await call(401, 'POST', `${ME}/recovery-codes`, undefined, trusted.accessToken);
}

/** Adds a passkey in a session by recovery code. */
async function enrolPasskey({ base, call, step, notice }, person, { recoveryCodes }) {
  step('Signs in by a recovery code, and adds a passkey');
  const first = await call(403, 'POST', `${AUTH}/login`, person);
  const answer = { challenge: first.challenge, method: 'recovery_code', code: recoveryCodes.pop() };
  const { accessToken } = await call(200, 'POST', `${AUTH}/second-factor`, answer);
  await notice(person.email);
  const options = await call(200, 'POST', `${ME}/authenticators/passkeys/options`, undefined, accessToken);
  const passkey = new SoftAuthenticator(base);
  const created = { ...passkey.register(options), name: 'Laptop' };
  await call(201, 'POST', `${ME}/authenticators/passkeys`, created, accessToken);
  await notice(person.email);
  await call(200, 'GET', `${ME}/authenticators`, undefined, accessToken);
  return passkey;
}

/** Signs in only by the passkey. */
async function signInByPasskey({ call, step, says }, person, passkey) {
  step('Signs in by passkey alone, without a password: phr');
  const options = await call(200, 'POST', `${AUTH}/passkeys/options`, {});
  const answer = passkey.assert(options);
  const tokens = await call(200, 'POST', `${AUTH}/passkeys/login`, answer);
  says('The session is phishing resistant.', claimsOf(tokens).acr === 'phr');
  await call(400, 'POST', `${AUTH}/passkeys/login`, answer);
  const forged = await call(200, 'POST', `${AUTH}/passkeys/options`, {});
  const fromOtherSite = passkey.assert(forged, { origin: 'https://evil.example' });
  await call(401, 'POST', `${AUTH}/passkeys/login`, fromOtherSite);
}

/** Confirms a session of one factor (RFC 9470). @returns the token of a trusted device */
async function stepUp({ call, step, says }, person, passkey) {
  step('Steps up: a password does not suffice where a second factor exists');
  const first = await call(403, 'POST', `${AUTH}/login`, person);
  const options = await call(200, 'POST', `${AUTH}/passkeys/options`, { challenge: first.challenge });
  const answer = { challenge: first.challenge, method: 'passkey', ...passkey.assert(options) };
  const second = { ...answer, rememberDevice: true };
  const { deviceToken } = await call(200, 'POST', `${AUTH}/second-factor`, second);
  const weak = await call(200, 'POST', `${AUTH}/login`, { ...person, deviceToken });
  const token = weak.accessToken;
  await call(401, 'POST', `${ME}/recovery-codes`, undefined, token);
  const byPassword = { method: 'password', password: person.password };
  const same = await call(200, 'POST', `${AUTH}/step-up`, byPassword, token);
  await call(401, 'POST', `${ME}/recovery-codes`, undefined, same.accessToken);
  const begun = await call(200, 'POST', `${AUTH}/step-up/options`, undefined, token);
  const confirmed = { method: 'passkey', ...passkey.assert(begun) };
  const strong = await call(200, 'POST', `${AUTH}/step-up`, confirmed, token);
  says('It is the same session.', claimsOf(strong).sid === claimsOf(weak).sid);
  says('It is stronger.', claimsOf(strong).acr === 'phr');
  const refreshed = await call(200, 'POST', `${AUTH}/refresh`, { refreshToken: weak.refreshToken });
  says('It stays stronger when it is refreshed.', claimsOf(refreshed).acr === 'phr');
  return deviceToken;
}

/** Signs in after the loss of phone and laptop. */
async function recover({ call, step, notice, mailedToken }, person, { recoveryCodes }) {
  step('Resets the password: a mailbox is no second factor');
  await call(202, 'POST', `${AUTH}/request-password-reset`, { email: person.email });
  person.password = 'a-new-harbour-7';
  const token = await mailedToken(person.email);
  await call(204, 'POST', `${AUTH}/reset-password`, { token, newPassword: person.password });
  const first = await call(403, 'POST', `${AUTH}/login`, person);

  step('Recovers by a recovery code, which is used up, and creates new ones');
  const answer = { challenge: first.challenge, method: 'recovery_code', code: recoveryCodes.pop() };
  const { accessToken } = await call(200, 'POST', `${AUTH}/second-factor`, answer);
  await notice(person.email);
  const again = await call(403, 'POST', `${AUTH}/login`, person);
  await call(401, 'POST', `${AUTH}/second-factor`, { ...answer, challenge: again.challenge });
  await call(200, 'POST', `${ME}/recovery-codes`, undefined, accessToken);
}

/** Removes the authenticators. */
async function end({ call, step, says }, person, passkey) {
  step('Removes both authenticators: the password suffices again');
  const options = await call(200, 'POST', `${AUTH}/passkeys/options`, {});
  const { accessToken } = await call(200, 'POST', `${AUTH}/passkeys/login`, passkey.assert(options));
  const { items } = await call(200, 'GET', `${ME}/authenticators`, undefined, accessToken);
  for (const { id } of items) await call(204, 'DELETE', `${ME}/authenticators/${id}`, undefined, accessToken);
  const left = await call(200, 'GET', `${ME}/authenticators`, undefined, accessToken);
  says('The recovery codes are gone with them.', left.recoveryCodesLeft === 0);
  await call(200, 'POST', `${AUTH}/login`, person);
}

/** An authenticator app, which shows each of its three codes of this minute once. */
function codesOf(secret) {
  let step = stepAt(Date.now()) - 2;
  return { next: () => codeOf(secret, (step += 1)) };
}

const claimsOf = ({ accessToken }) =>
  JSON.parse(Buffer.from(String(accessToken).split('.')[1], 'base64url').toString());
