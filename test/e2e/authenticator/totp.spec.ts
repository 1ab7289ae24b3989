import { codeOf, stepAt } from '../../../src/authenticator/totp/totp-code.js';
import { claimsOf, signedInAgo } from '../../support/aged.js';
import { login, loginWith, TestPasskey, TestTotp } from '../../support/factors.js';
import { Person } from '../../support/organization.js';
import { withApp } from '../../support/test-app.js';

const AUTHENTICATORS = '/api/v1/iam/me/authenticators';

describe('Authenticator apps', () => {
  const app = withApp();

  const enrolled = async () => {
    const person = await Person.signUp(app);
    return { person, totp: await TestTotp.enrol(app, person.token) };
  };

  it('ask for a code at each login, which proves two factors', async () => {
    const { person, totp } = await enrolled();
    const first = await login(app, person);
    expect(first).toMatchObject({
      status: 403,
      body: {
        type: '/errors/second-factor-required',
        methods: ['totp', 'recovery_code'],
        expiresInSeconds: 600,
      },
    });
    expect(first.body).not.toHaveProperty('accessToken');
    const code = totp.next();
    const challenge = first.body['challenge'];
    const { status, body } = await app.post('second-factor', { challenge, method: 'totp', code });
    expect(status).toBe(200);
    expect(claimsOf(body['accessToken'])).toMatchObject({ acr: 'aal2', amr: ['pwd', 'otp', 'mfa'] });
  });

  it('accept each code once', async () => {
    const { person, totp } = await enrolled();
    const code = totp.next();
    expect((await loginWith(app, person, { method: 'totp', code })).status).toBe(200);
    expect(await loginWith(app, person, { method: 'totp', code })).toMatchObject({
      status: 401,
      body: { type: '/errors/invalid-second-factor' },
    });
  });

  it('count for nothing until they are confirmed', async () => {
    const person = await Person.signUp(app);
    const begun = await app.call('POST', `${AUTHENTICATORS}/totp`, undefined, { token: person.token });
    expect((await login(app, person)).status).toBe(200);
    expect((await app.get(AUTHENTICATORS, person.token)).body['items']).toEqual([]);
    const code = () => TestTotp.scanned(String(begun.body['secret'])).next();
    const stepUp = { method: 'totp', code: code() };
    expect((await app.post('step-up', stepUp, { token: person.token })).status).toBe(401);
    await TestPasskey.enrol(app, person.token);
    const { challenge } = (await login(app, person)).body;
    const answer = { challenge, method: 'totp', code: code() };
    expect((await app.post('second-factor', answer)).status).toBe(401);
  });

  it('are confirmed by their own account alone', async () => {
    const [one, other] = [await Person.signUp(app), await Person.signUp(app)];
    const { body } = await app.call('POST', `${AUTHENTICATORS}/totp`, undefined, { token: one.token });
    const code = codeOf(String(body['secret']), stepAt(Date.now()));
    const confirm = ({ token }: Person) =>
      app.call('POST', `${AUTHENTICATORS}/totp/${String(body['id'])}/confirm`, { code }, { token });
    expect((await confirm(other)).status).toBe(404);
    expect((await confirm(one)).status).toBe(200);
    expect((await confirm(one)).status).toBe(401);
  });

  it('make the session of their confirmation stronger at its next refresh', async () => {
    const { person } = await enrolled();
    const { body } = await app.post('refresh', { refreshToken: person.refreshToken });
    expect(claimsOf(body['accessToken'])).toMatchObject({ acr: 'aal2' });
  });

  it('are asked for by a step-up of a person who has one, where a password does not suffice', async () => {
    const { person, totp } = await enrolled();
    const { accessToken } = await signedInAgo(app, person);
    const begin = (token: string) => app.call('POST', `${AUTHENTICATORS}/totp`, undefined, { token });
    const refused = await begin(accessToken);
    expect(refused).toMatchObject({
      status: 401,
      body: {
        type: '/errors/insufficient-user-authentication',
        acr: 'aal2',
        maxAge: 600,
        methods: ['totp', 'recovery_code'],
      },
    });
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_user_authentication", acr_values="aal2", max_age="600"',
    );
    const byPassword = await app.post(
      'step-up',
      { method: 'password', password: person.password },
      { token: accessToken },
    );
    expect(byPassword.status).toBe(200);
    expect((await begin(String(byPassword.body['accessToken']))).status).toBe(401);
    const code = totp.next();
    const { status, body } = await app.post('step-up', { method: 'totp', code }, { token: accessToken });
    expect(status).toBe(200);
    expect((await begin(String(body['accessToken']))).status).toBe(201);
  });

  it('accept the codes of one step either side', async () => {
    const { person, totp } = await enrolled();
    const now = stepAt(Date.now());
    for (const step of [now - 2, now + 3])
      expect((await loginWith(app, person, { method: 'totp', code: codeOf(totp.secret, step) })).status).toBe(
        401,
      );
    expect((await loginWith(app, person, { method: 'totp', code: codeOf(totp.secret, now) })).status).toBe(
      200,
    );
  });
});
