import { byTwoFactors, TestTotp } from '../../support/factors.js';
import { Organization, Person } from '../../support/organization.js';
import { statementsOf } from '../../support/plans.js';
import { signUpOperator } from '../../support/satellite.js';
import { TestApp } from '../../support/test-app.js';

const SATELLITES = '/api/v1/iam/satellites';
const AUTHENTICATORS = '/api/v1/iam/me/authenticators';
const SCOPE = 'iam:satellite:read';
const NEEDS_TWO = {
  status: 401,
  body: {
    type: '/errors/insufficient-user-authentication',
    code: 'authentication_insufficient',
    acr: 'aal2',
  },
};

describe('Operators', () => {
  const started: TestApp[] = [];
  const start = async (OPERATOR_REQUIRES_SECOND_FACTOR?: 'on' | 'off') => {
    const app = await TestApp.start({
      ...(OPERATOR_REQUIRES_SECOND_FACTOR && { OPERATOR_REQUIRES_SECOND_FACTOR }),
    });
    started.push(app);
    return app;
  };
  afterAll(() => Promise.all(started.map((app) => app.stop())));

  const canRead = async (app: TestApp, token: string) =>
    (await app.call('POST', '/api/auth/can', { scopes: [SCOPE] }, { token })).body[SCOPE];

  it('need a second factor once one of them has one', async () => {
    const app = await start();
    const [first, other] = [await signUpOperator(app), await signUpOperator(app)];
    const person = await Person.signUp(app);
    await TestTotp.enrol(app, person.token); // no operator
    expect((await app.get(SATELLITES, other.token)).status).toBe(200);
    expect(await canRead(app, other.token)).toEqual({ allowed: true });
    await app.call('POST', `${AUTHENTICATORS}/totp`, undefined, { token: first.token }); // not confirmed
    expect((await app.get(SATELLITES, other.token)).status).toBe(200);

    await TestTotp.enrol(app, first.token);
    const refused = await app.get(SATELLITES, other.token);
    expect(refused).toMatchObject({ ...NEEDS_TWO, body: { ...NEEDS_TWO.body, methods: [], enrol: true } });
    expect(refused.headers.get('www-authenticate')).toContain('acr_values="aal2"');
    expect(await canRead(app, other.token)).toMatchObject({
      allowed: false,
      code: 'authentication_insufficient',
    });
    expect(await app.get(SATELLITES, first.token)).toMatchObject({
      ...NEEDS_TWO,
      body: { methods: ['totp', 'recovery_code'] },
    });
    expect((await app.get(SATELLITES, byTwoFactors(app, other.token))).status).toBe(200);
    expect(await canRead(app, byTwoFactors(app, other.token))).toEqual({ allowed: true });
    expect((await app.get(SATELLITES, person.token)).status).toBe(403); // and no word about factors
  });

  it('are looked up once for a check of several permissions', async () => {
    const app = await start();
    const { token } = await signUpOperator(app);
    const scopes = [SCOPE, 'iam:satellite:create', 'iam:satellite:update'];
    await app.call('POST', '/api/auth/can', { scopes }, { token });
    const statements = await statementsOf(() => app.call('POST', '/api/auth/can', { scopes }, { token }));
    expect(statements.filter(([sql]) => sql.includes('totp_authenticators'))).toHaveLength(1);
  });

  it('add one, and continue with the session that they have', async () => {
    const app = await start('on');
    const operator = await signUpOperator(app);
    expect(await app.get(SATELLITES, operator.token)).toMatchObject(NEEDS_TWO);
    await TestTotp.enrol(app, operator.token);
    const { body } = await app.post('refresh', { refreshToken: operator.refreshToken });
    expect((await app.get(SATELLITES, String(body['accessToken']))).status).toBe(200);
  });

  it('need none if the setting says so', async () => {
    const app = await start('off');
    const [first, other] = [await signUpOperator(app), await signUpOperator(app)];
    await TestTotp.enrol(app, first.token);
    expect((await app.get(SATELLITES, other.token)).status).toBe(200);
  });

  it('are made and lifted by the command line, without a second factor', async () => {
    const app = await start('on');
    const person = await Person.signUp(app);
    await app.command('operator:grant', '--account', person.email);
    expect((await app.get(SATELLITES, byTwoFactors(app, person.token))).status).toBe(200);
    await app.command('operator:revoke', '--account', person.email);
    expect((await app.get(SATELLITES, byTwoFactors(app, person.token))).status).toBe(403);
  });

  it('and owners without a second factor are to be asked to add one, and no other people', async () => {
    const app = await start('off');
    const shouldEnrol = async ({ token }: { token: string }) =>
      (await app.get(AUTHENTICATORS, token)).body['shouldEnrol'];
    const organization = await Organization.found(app);
    const { owner } = organization;
    const [admin, member] = [await organization.join('admin'), await organization.join('member')];
    const operator = await signUpOperator(app);
    expect(await Promise.all([owner, operator].map(shouldEnrol))).toEqual([true, true]);
    expect(await Promise.all([admin, member, await Person.signUp(app)].map(shouldEnrol))).toEqual([
      false,
      false,
      false,
    ]);
    await TestTotp.enrol(app, owner.person.token);
    expect(await shouldEnrol(owner)).toBe(false);
  });
});
