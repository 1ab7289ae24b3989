import { codeOf, stepAt } from '../../../src/authenticator/totp/totp-code.js';
import { login, loginWith, TestTotp } from '../../support/factors.js';
import { Person } from '../../support/organization.js';
import { eventually, withApp } from '../../support/test-app.js';

const ARABIC_INDIC_ZERO = 0x660;
/** A code as people type, paste and dictate it: [what, how]. */
const TYPED: readonly (readonly [string, (code: string) => string])[] = [
  ['a space, as apps show it', (code) => `${code.slice(0, 3)} ${code.slice(3)}`],
  ['outer spaces', (code) => ` ${code} `],
  ['hyphens', (code) => `${code.slice(0, 2)}-${code.slice(2, 4)}\u2013${code.slice(4)}`],
  ['no-break spaces', (code) => `${code.slice(0, 3)}\u00a0${code.slice(3)}\u202f`],
  ['zero-width characters', (code) => `\u200b${code.slice(0, 3)}\u200d${code.slice(3)}\ufeff`],
  ['direction marks of a copied line', (code) => `\u200e${code}\u202c`],
  ['full-width digits', (code) => shifted(code, 0xff10)],
  ['Arabic-Indic digits', (code) => shifted(code, ARABIC_INDIC_ZERO)],
  ['Devanagari digits', (code) => shifted(code, 0x966)],
];
const shifted = (code: string, zero: number): string =>
  code.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
/** What no code of an app or of a mail can be. */
const NO_DIGITS = ['12345', '1234567', '12345x', 'AAAAA-AAAAA', '12.34.56', '½23456'];
/** What no recovery code can be: too short, too long, a letter that none has, a code of an app. */
const NO_RECOVERY_CODES = ['7GX2M-9KQ4', '7GX2M-9KQ4TT', '7GX2M-9KQ4U', '123456', '7GX2M_9KQ4T'];
const ON_CODE = {
  status: 400,
  body: { type: '/errors/validation-error', violations: [{ propertyPath: 'code' }] },
};

describe('Codes as people type them', () => {
  const app = withApp({ EMAIL_SIGN_IN: 'on' });

  const enrolled = async () => {
    const person = await Person.signUp(app);
    return { person, totp: await TestTotp.enrol(app, person.token) };
  };
  const failuresOf = ({ id }: Person) =>
    app.sql('SELECT sum(failures)::int AS failures FROM totp_authenticators WHERE account_id = $1', [id]);
  const begin = async ({ token }: Person) => {
    const path = '/api/v1/iam/me/authenticators/totp';
    const { body } = await app.call('POST', path, undefined, { token });
    const { id, secret } = body as unknown as { id: string; secret: string };
    const confirm = (code: string) => app.call('POST', `${path}/${id}/confirm`, { code }, { token });
    return { secret, confirm };
  };
  const mailed = async (email: string) => {
    await app.post('email-code', { email });
    const codes = async () =>
      (await app.mails(email, 0)).flatMap((mail) => /Your code to sign in: (\d{6})/.exec(mail)?.[1] ?? []);
    await eventually('the code is mailed', async () => (await codes()).length === 1);
    return (await codes())[0] ?? '';
  };

  it.each(TYPED)('sign in by an app: %s', async (_, type) => {
    const { person, totp } = await enrolled();
    const code = type(totp.next());
    expect((await loginWith(app, person, { method: 'totp', code })).status).toBe(200);
  });

  it.each(TYPED)('confirm an app: %s', async (_, type) => {
    const { secret, confirm } = await begin(await Person.signUp(app));
    expect((await confirm(type(codeOf(secret, stepAt(Date.now()))))).status).toBe(200);
  });

  it.each(TYPED)('sign in by a recovery code: %s', async (_, type) => {
    const { person, totp } = await enrolled();
    const [code = ''] = totp.recoveryCodes;
    const typed = type(code.replace('-', '').toLowerCase());
    expect((await loginWith(app, person, { method: 'recovery_code', code: typed })).status).toBe(200);
  });

  it('confirm a person in their session', async () => {
    const { person, totp } = await enrolled();
    const spaced = totp.next().replace(/(?=...$)/, ' ');
    expect((await app.post('step-up', { method: 'totp', code: spaced }, person)).status).toBe(200);
  });

  it('sign in by a mail', async () => {
    const { email } = await Person.signUp(app);
    const code = (await mailed(email)).replace(/(?=...$)/, '\u00a0');
    expect((await app.post('email-code/login', { email, code })).status).toBe(200);
  });

  it('cost no try of an app or a challenge if no code can be so', async () => {
    const { person, totp } = await enrolled();
    const { challenge } = (await login(app, person)).body;
    for (const code of NO_DIGITS) {
      expect(await app.post('second-factor', { challenge, method: 'totp', code })).toMatchObject(ON_CODE);
      expect(await app.post('step-up', { method: 'totp', code }, person)).toMatchObject(ON_CODE);
    }
    for (const code of NO_RECOVERY_CODES)
      expect(await app.post('second-factor', { challenge, method: 'recovery_code', code })).toMatchObject(
        ON_CODE,
      );
    expect(await failuresOf(person)).toEqual([{ failures: 0 }]);
    expect(await app.sql('SELECT 1 FROM login_throttles WHERE failures > 0')).toEqual([]);
    const code = totp.next();
    expect((await app.post('second-factor', { challenge, method: 'totp', code })).status).toBe(200);
  });

  it('are refused before they are read if they are too long, whatever they would become', async () => {
    const { person } = await enrolled();
    const { challenge } = (await login(app, person)).body;
    // Each of the ligatures becomes eighteen letters.
    for (const code of ['1'.repeat(41), '\uFDFA'.repeat(41), '9'.repeat(60_000)])
      for (const method of ['totp', 'recovery_code'])
        expect(await app.post('second-factor', { challenge, method, code })).toMatchObject({
          status: 400,
          body: { violations: [{ propertyPath: 'code', message: expect.stringContaining('40') }] },
        });
    const code = '\uFDFA'.repeat(40);
    expect(await app.post('second-factor', { challenge, method: 'totp', code })).toMatchObject(ON_CODE);
    expect(await failuresOf(person)).toEqual([{ failures: 0 }]);
  });

  it('cost no try of a mailed code, and say what a code is', async () => {
    const { email } = await Person.signUp(app);
    const code = await mailed(email);
    for (const other of NO_DIGITS)
      expect(await app.post('email-code/login', { email, code: other })).toMatchObject(ON_CODE);
    expect((await app.post('email-code/login', { email, code })).status).toBe(200);
  });

  it('are explained where they cannot be one', async () => {
    const person = await Person.signUp(app);
    const { confirm } = await begin(person);
    expect((await confirm('12345')).body).toMatchObject({
      violations: [{ propertyPath: 'code', message: 'must be the six digits of a code' }],
    });
    const answer = { method: 'recovery_code', code: '123456' };
    expect((await app.post('step-up', answer, person)).body).toMatchObject({
      violations: [{ propertyPath: 'code', message: 'must be the ten characters of a recovery code' }],
    });
  });
});
