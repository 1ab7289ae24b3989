import { claimsOf } from '../../support/aged.js';
import { ExternalVisitor, withOidc } from '../../support/external.js';
import { login, TestTotp } from '../../support/factors.js';
import { HostedApp } from '../../support/hosted.js';
import { OpenApi, type Json, type Operation } from '../../support/openapi.js';
import { Organization, Person } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { pkce, TestSatellite } from '../../support/satellite.js';
import { type Answer, eventually, tokenIn } from '../../support/test-app.js';

const IDENTITIES = '/api/v1/iam/me/identities';
const RETURN_URI = 'https://shop.example/signed-in';
const REQUIRED = {
  status: 403,
  body: { type: '/errors/second-factor-required', methods: ['totp', 'recovery_code'] },
};

/**
 * Routes that answer with tokens, and what keeps each from giving more than was proven. A new one
 * is added here with a test below.
 */
const WAYS: Readonly<Record<string, 'asks for the second factor' | 'verifies it' | 'keeps the strength'>> = {
  // Ends sessions at the request of a provider.
  'GET /api/iam/auth/external/saml/logout/{connection}': 'keeps the strength',
  // Leads to the provider of a connection.
  'GET /api/iam/auth/external/{kind}/begin/{connection}': 'asks for the second factor',
  'GET /api/iam/auth/external/{kind}/callback': 'asks for the second factor',
  // With a connection: connection-sign-in.spec.ts.
  'GET /api/iam/auth/external/{kind}/callback/{connection}': 'asks for the second factor',
  // Ends the session.
  'GET /api/iam/saml/{clientId}/slo': 'keeps the strength',
  // Lead to the decision on an authorization request: saml-provider/saml-sign-in.spec.ts.
  'GET /api/iam/saml/{clientId}/sso': 'keeps the strength',
  'GET /api/iam/saml/{clientId}/start': 'keeps the strength',
  // With a client of OpenID Connect: below.
  'GET /oauth2/authorize': 'keeps the strength',
  'GET /oauth2/logout': 'keeps the strength', // ends the session
  'POST /api/iam/auth/external/saml/logout/{connection}': 'keeps the strength',
  'POST /api/iam/auth/external/{kind}/callback': 'asks for the second factor',
  'POST /api/iam/auth/external/{kind}/callback/{connection}': 'asks for the second factor',
  'POST /api/iam/saml/{clientId}/slo': 'keeps the strength',
  'POST /api/iam/saml/{clientId}/sso': 'keeps the strength',
  'POST /api/v1/iam/auth/email-code/login': 'asks for the second factor',
  'POST /api/v1/iam/auth/external/token': 'asks for the second factor',
  'POST /api/v1/iam/auth/login': 'asks for the second factor',
  'POST /api/v1/iam/auth/passkeys/login': 'verifies it',
  'POST /api/v1/iam/auth/portal/session': 'keeps the strength',
  'POST /api/v1/iam/auth/refresh': 'keeps the strength',
  // Of an account that it creates.
  'POST /api/v1/iam/auth/register-invited': 'asks for the second factor',
  'POST /api/v1/iam/auth/satellite/token': 'keeps the strength',
  'POST /api/v1/iam/auth/second-factor': 'verifies it',
  'POST /api/v1/iam/auth/select-tenant': 'keeps the strength',
  // By number and PIN, with low evidence by design: integration/frontline-sign-in.spec.ts.
  'POST /api/v1/iam/auth/stations/{stationId}/sign-in': 'keeps the strength',
  'POST /api/v1/iam/auth/step-up': 'verifies it',
  // Of an operator who has proven two factors, for another person: impersonation.spec.ts.
  'POST /api/v1/operator/impersonations': 'keeps the strength',
  'POST /oauth2/authorize': 'keeps the strength',
  'POST /oauth2/logout': 'keeps the strength',
  'POST /oauth2/token': 'keeps the strength',
};

/** No way to a session gets around the second factor (section 9, rule 1). */
describe('A person with a second factor', () => {
  const { lab, app } = withOidc({
    EXTERNAL_OIDC_DOMAINS: 'authority.example',
    EMAIL_SIGN_IN: 'on',
    RETURN_URIS: RETURN_URI,
  });
  let counter = 0;

  /** A person with an app, a linked identity, and a session from before. */
  const enrolled = async () => {
    const person = await Person.signUp(app);
    const visitor = new ExternalVisitor(app, 'oidc');
    lab.person = { sub: `protected-${(counter += 1)}` };
    const begun = await visitor.link(person.token);
    const landing = await visitor.open(lab.visit(String(begun.body['authorizationUrl'])));
    expect((await visitor.redeem(person.token, landing)).status).toBe(201);
    const weak = await Person.again(person);
    const totp = await TestTotp.enrol(app, person.token);
    return { person, weak, totp, visitor };
  };
  const complete = (challenge: unknown, totp: TestTotp) =>
    app.post('second-factor', { challenge, method: 'totp', code: totp.next() });
  const strong = async ({ person, totp }: { person: Person; totp: TestTotp }) => {
    const { status, body } = await complete((await login(app, person)).body['challenge'], totp);
    if (status !== 200) throw new Error(`The second factor answered ${status}.`);
    return body as unknown as { accessToken: string; refreshToken: string; sessionId: string };
  };
  const sessionsOf = async ({ id }: Person) =>
    (await app.sql('SELECT 1 FROM sessions WHERE account_id = $1', [id])).length;
  const expectRequired = (answer: Answer) => {
    expect(answer).toMatchObject(REQUIRED);
    expect(answer.body).not.toHaveProperty('accessToken');
    expect(answer.body).not.toHaveProperty('refreshToken');
  };
  const strengthOf = ({ status, body }: Answer) => {
    if (status !== 200) throw new Error(`The service answered ${status}.`);
    const { acr, amr, aal2_time: aal2Time } = claimsOf(body['accessToken']);
    return { acr, amr, aal2Time };
  };
  const WEAK = { acr: 'aal1', amr: ['pwd'], aal2Time: undefined };

  it('gets tokens by no route that is not listed here', async () => {
    const { body } = await app.get('/api/docs/openapi.json');
    const document = new OpenApi(body);
    const issuing = document.operations.filter((one) => issuesTokens(document, one));
    expect(issuing.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(Object.keys(WAYS));
  });

  it('is asked for it after the password, and has no session until then', async () => {
    const { person, totp } = await enrolled();
    const before = await sessionsOf(person);
    const first = await login(app, person);
    expectRequired(first);
    expect(await sessionsOf(person)).toBe(before);
    expect(strengthOf(await complete(first.body['challenge'], totp)).acr).toBe('aal2');
    expect(await sessionsOf(person)).toBe(before + 1);
  });

  it('is asked for it after a mailed code, which proves the mailbox alone', async () => {
    const { person, totp } = await enrolled();
    await app.post('email-code', { email: person.email });
    const codes = async () =>
      (await app.mails(person.email)).flatMap((mail) => /code to sign in: (\d{6})/.exec(mail)?.[1] ?? []);
    await eventually('the code is mailed', async () => (await codes()).length > 0);
    const first = await app.post('email-code/login', { email: person.email, code: (await codes())[0] });
    expectRequired(first);
    expect(strengthOf(await complete(first.body['challenge'], totp)).acr).toBe('aal2');
  });

  it('is asked for it after a password reset, which proves the mailbox alone', async () => {
    const { person } = await enrolled();
    await app.post('request-password-reset', { email: person.email });
    const links = async () =>
      (await app.mails(person.email)).filter((mail) => mail.includes('/reset-password'));
    await eventually('the link is mailed', async () => (await links()).length > 0);
    const token = tokenIn((await links())[0] ?? '');
    const password = 'another-harbour-43';
    const reset = await app.post('reset-password', { token, newPassword: password });
    expect(reset).toMatchObject({ status: 204, body: {} });
    expectRequired(await app.post('login', { email: person.email, password }));
    expect((await app.post('refresh', { refreshToken: person.refreshToken })).status).toBe(401);
  });

  it('is asked for it by an external sign-in that returns tokens', async () => {
    const { person, totp, visitor } = await enrolled();
    const before = await sessionsOf(person);
    const begun = await visitor.start();
    const { fragment } = await visitor.open(lab.visit(String(begun.body['authorizationUrl'])));
    expect(fragment).toMatchObject({ error: 'second_factor_required', methods: 'totp recovery_code' });
    expect(Object.keys(fragment).toSorted()).toEqual([
      'challenge',
      'error',
      'error_description',
      'methods',
      'state',
    ]);
    expect(await sessionsOf(person)).toBe(before);
    expect(strengthOf(await complete(fragment['challenge'], totp))).toMatchObject({
      acr: 'aal2',
      amr: ['oidc', 'otp', 'mfa'],
    });
  });

  it('is asked for it by an external sign-in that returns a code, which is then spent', async () => {
    const { person, totp, visitor } = await enrolled();
    const before = await sessionsOf(person);
    const { codeVerifier, codeChallenge } = pkce();
    const begun = await visitor.start({ codeChallenge });
    const { fragment } = await visitor.open(lab.visit(String(begun.body['authorizationUrl'])));
    const { code } = fragment;
    const first = await app.post('external/token', { code, codeVerifier });
    expectRequired(first);
    expect(await sessionsOf(person)).toBe(before);
    expect((await app.post('external/token', { code, codeVerifier })).status).toBe(400);
    expect(strengthOf(await complete(first.body['challenge'], totp)).acr).toBe('aal2');
  });

  it('is not asked by an external sign-in that returns a code and shows a trusted device of theirs', async () => {
    const { person, totp, visitor } = await enrolled();
    const redeem = async (deviceToken: unknown) => {
      const { codeVerifier, codeChallenge } = pkce();
      const begun = await visitor.start({ codeChallenge });
      const { fragment } = await visitor.open(lab.visit(String(begun.body['authorizationUrl'])));
      return app.post('external/token', { code: fragment['code'], codeVerifier, deviceToken });
    };
    const first = await login(app, person);
    const { body } = await app.post('second-factor', {
      challenge: first.body['challenge'],
      method: 'totp',
      code: totp.next(),
      rememberDevice: true,
    });
    const its = await redeem(body['deviceToken']);
    expect(strengthOf(its)).toEqual({ acr: 'aal1', amr: ['oidc'], aal2Time: undefined });
    expect(claimsOf(its.body['accessToken'])).toHaveProperty('trusted_device', true);
    expectRequired(await redeem(`${String(body['deviceToken']).slice(0, 27)}${'A'.repeat(43)}`));
    await enrolled(); // the provider now vouches for another person
    expectRequired(await redeem(body['deviceToken']));
  });

  it('is given by the hosted page what the session of the page has proven', async () => {
    const { weak, ...own } = await enrolled();
    const shop = new HostedApp(app, RETURN_URI);
    expect((await shop.issue(undefined)).status).toBe(401);
    expect(strengthOf(await shop.redeem(await shop.code(weak.token)))).toEqual(WEAK);
    const { accessToken } = await strong(own);
    const its = strengthOf(await shop.redeem(await shop.code(accessToken)));
    expect(its).toMatchObject({ acr: 'aal2', amr: ['pwd', 'otp', 'mfa'] });
  });

  it('is given by a satellite what the session has proven, and no more at its refreshes', async () => {
    const { weak, ...own } = await enrolled();
    const satellite = await TestSatellite.register(app);
    const visiting = await satellite.signIn(weak.token);
    expect(strengthOf({ ...(await satellite.refresh(visiting.refreshToken)) })).toEqual(WEAK);
    const { accessToken } = await strong(own);
    const { accessToken: its } = await satellite.signIn(accessToken);
    expect(claimsOf(its)).toMatchObject({ acr: 'aal2', aal2_time: claimsOf(accessToken)['aal2_time'] });
  });

  it('is given by a client of OpenID Connect what the session has proven', async () => {
    const { weak, ...own } = await enrolled();
    const client = await RelyingParty.register(app);
    const { access_token: weakly, id_token: told } = await client.signIn(weak.token);
    for (const token of [weakly, told]) expect(claimsOf(token)).toMatchObject({ acr: 'aal1', amr: ['pwd'] });
    const { accessToken } = await strong(own);
    const { access_token: strongly, id_token: proven } = await client.signIn(accessToken);
    for (const token of [strongly, proven])
      expect(claimsOf(token)).toMatchObject({ acr: 'aal2', amr: ['pwd', 'otp', 'mfa'] });
  });

  it('keeps the strength of each session at refreshes, of the portal too, and never gains any', async () => {
    const { weak, ...own } = await enrolled();
    const { accessToken, refreshToken } = await strong(own);
    const proven = claimsOf(accessToken)['aal2_time'];
    expect(typeof proven).toBe('number');
    const headers = { 'sec-fetch-site': 'same-origin' };
    const refreshed = await app.post('refresh', { refreshToken });
    expect(strengthOf(refreshed)).toMatchObject({ acr: 'aal2', aal2Time: proven });
    const stored = await app.post(
      'portal/session',
      { refreshToken: refreshed.body['refreshToken'] },
      { headers },
    );
    expect(strengthOf(stored)).toMatchObject({ acr: 'aal2', aal2Time: proven });
    const other = await app.post('refresh', { refreshToken: weak.refreshToken });
    expect(strengthOf(other)).toEqual(WEAK);
    const portal = await app.post(
      'portal/session',
      { refreshToken: other.body['refreshToken'] },
      { headers },
    );
    expect(strengthOf(portal)).toEqual(WEAK);
    const [cookie = ''] = portal.headers.getSetCookie();
    const again = await app.post(
      'portal/session',
      {},
      { headers: { ...headers, cookie: cookie.split(';')[0] ?? '' } },
    );
    expect(strengthOf(again)).toEqual(WEAK);
  });

  it('keeps the strength of the session in an organization', async () => {
    const { weak, person } = await enrolled();
    const { id } = await Organization.found(app, person);
    const select = (token: string) => app.post('select-tenant', { tenantId: id }, { token });
    expect(strengthOf(await select(weak.token))).toEqual(WEAK);
    expect(strengthOf(await select(person.token)).acr).toBe('aal2'); // confirmed the app there
    const { refreshToken } = weak;
    expect(strengthOf(await app.post('refresh', { refreshToken, tenantId: id }))).toEqual(WEAK);
  });

  it('gains strength in a session by the second factor alone', async () => {
    const { person, weak, totp } = await enrolled();
    const { token } = weak;
    const byPassword = await app.post(
      'step-up',
      { method: 'password', password: person.password },
      { token },
    );
    expect(strengthOf(byPassword)).toEqual(WEAK);
    const other = await enrolled();
    const theirs = { method: 'totp', code: other.totp.next() };
    expect((await app.post('step-up', theirs, { token })).status).toBe(401);
    const byFactor = await app.post('step-up', { method: 'totp', code: totp.next() }, { token });
    expect(strengthOf(byFactor).acr).toBe('aal2');
    expect(byFactor.body).not.toHaveProperty('refreshToken');
    expect(strengthOf(await app.post('refresh', { refreshToken: weak.refreshToken })).acr).toBe('aal2');
    expect(strengthOf(await app.post('refresh', { refreshToken: other.weak.refreshToken }))).toEqual(WEAK);
  });

  it('gets no tokens for a verified address, and none for a linked identity', async () => {
    const { person, weak, visitor } = await enrolled();
    const email = `new-${(counter += 1)}@example.com`;
    await app.post('register', { email, password: person.password, firstName: 'Ada' });
    const verified = await app.post('verify-email', { token: await app.mailedToken(email) });
    expect(verified).toMatchObject({ status: 204, body: {} });
    expect(await visitor.link(weak.token)).toMatchObject({ status: 401, body: { acr: 'aal2' } });
    lab.person = { sub: `second-${counter}` };
    const confirmed = await app.post('refresh', { refreshToken: person.refreshToken });
    const token = String(confirmed.body['accessToken']);
    const begun = await visitor.link(token);
    const landing = await visitor.open(lab.visit(String(begun.body['authorizationUrl'])));
    const { status, headers, body } = await visitor.redeem(token, landing);
    expect(status).toBe(201);
    expect(JSON.stringify(body)).not.toMatch(/[Tt]oken/);
    expect(headers.getSetCookie()).toEqual([]);
    expect((await app.get(IDENTITIES, weak.token)).body['items']).toHaveLength(2);
  });
});

/** Whether a success has tokens, or is a redirect, whose fragment may have them. */
function issuesTokens(document: OpenApi, { operation }: Operation): boolean {
  const responses = Object.entries<Json>(operation.responses);
  return responses.some(
    ([status, response]) =>
      status.startsWith('3') || (status.startsWith('2') && hasTokens(document, response, new Set())),
  );
}

function hasTokens(document: OpenApi, node: Json, seen: Set<Json>): boolean {
  const here = document.resolve(node);
  if (typeof here !== 'object' || here === null || seen.has(here)) return false;
  seen.add(here);
  const names = Object.keys(here.properties ?? {});
  return (
    names.some((name) => /^(access|refresh)(Token|_token)$/.test(name)) ||
    Object.values(here).some((below) => hasTokens(document, below, seen))
  );
}
