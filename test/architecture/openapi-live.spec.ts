import { DataSource } from 'typeorm';
import { type TestApp, withApp } from '../support/test-app.js';

const AUTH = '/api/v1/iam/auth';
const ME = '/api/v1/iam/me';

/** TestApp compares every response with the document; this spec requests each kind of response. */
describe('Answers against the OpenAPI document', () => {
  let account: { email: string; password: string };
  let token: string;
  const app = withApp({ RATE_LOGIN: '20', RATE_RESET: '1', PUBLIC_URL: 'https://gatehouse.example' }, true);
  beforeAll(async () => {
    account = await app.register();
    token = (await app.login(account)).accessToken;
  });

  async function expectAsDocumented(
    method: string,
    path: string,
    status: number,
    body?: unknown,
    options: Parameters<TestApp['call']>[3] = {},
  ): Promise<void> {
    const answer = await app.call(method, path, body, options);
    expect([method, path, answer.status]).toEqual([method, path, status]);
  }

  it('holds for success without a token', async () => {
    await expectAsDocumented('GET', '/healthz', 200);
    await expectAsDocumented('GET', '/readyz', 200);
    await expectAsDocumented('GET', '/.well-known/jwks.json', 200);
    await expectAsDocumented('GET', '/errors/conflict', 200);
    for (const file of ['', '/openapi.json']) await expectAsDocumented('GET', `/api/docs${file}`, 200);
    const newcomer = { email: 'newcomer@example.com', password: 'quiet-harbour-42', firstName: 'Grace' };
    await expectAsDocumented('POST', `${AUTH}/register`, 202, newcomer);
    await expectAsDocumented('POST', `${AUTH}/resend-verification`, 202, { email: newcomer.email });
    const proof = { token: await app.mailedToken(newcomer.email) };
    await expectAsDocumented('POST', `${AUTH}/verify-email`, 204, proof);
    await expectAsDocumented('POST', `${AUTH}/request-password-reset`, 202, { email: 'unknown@example.com' });
  });

  it('holds for success with a token', async () => {
    await expectAsDocumented('POST', `${AUTH}/login`, 200, account);
    const session = await app.login(account);
    const options = { token: session.accessToken };
    await expectAsDocumented('POST', `${AUTH}/refresh`, 200, { refreshToken: session.refreshToken });
    await expectAsDocumented('GET', ME, 200, undefined, options);
    await expectAsDocumented('PATCH', ME, 200, { company: null, country: 'GB' }, options);
    await expectAsDocumented('GET', `${ME}/sessions`, 200, undefined, options);
    const { sessionId } = await app.login(account);
    await expectAsDocumented('DELETE', `${ME}/sessions/${sessionId}`, 204, undefined, options);
    const change = { currentPassword: account.password, newPassword: account.password };
    await expectAsDocumented('PUT', `${ME}/password`, 204, change, options);
    await expectAsDocumented('POST', `${AUTH}/logout-others`, 204, undefined, options);
    await expectAsDocumented('POST', `${AUTH}/logout`, 204, undefined, options);
    token = (await app.login(account)).accessToken;
  });

  it('holds for a browser of an allowed origin', async () => {
    const headers = { origin: 'https://gatehouse.example' };
    await expectAsDocumented('GET', ME, 200, undefined, { token, headers });
    await expectAsDocumented('GET', ME, 401, undefined, { headers });
  });

  it('holds for errors', async () => {
    await expectAsDocumented('POST', `${AUTH}/register`, 400, { email: 7 });
    await expectAsDocumented('POST', `${AUTH}/register`, 400, undefined, { raw: '{"__proto__":{}}' });
    await expectAsDocumented('POST', `${AUTH}/verify-email`, 400, { token: 'x' });
    await expectAsDocumented('POST', `${AUTH}/logout`, 400, undefined, { token, raw: '{' });
    await expectAsDocumented('GET', ME, 401);
    await expectAsDocumented('GET', ME, 401, undefined, { token: 'x.y.z' });
    await expectAsDocumented('POST', `${AUTH}/login`, 401, { ...account, password: 'wrong' });
    await expectAsDocumented('POST', `${AUTH}/refresh`, 401, { refreshToken: 'x' });
    const waiting = { email: 'waiting@example.com', password: 'quiet-harbour-42', firstName: 'Joan' };
    await app.post('register', waiting);
    await expectAsDocumented('POST', `${AUTH}/login`, 403, waiting);
    await expectAsDocumented('DELETE', `${ME}/sessions/01K3V9D7Q8Z4X5N6M7P8R9S0T2`, 404, undefined, {
      token,
    });
    await expectAsDocumented('DELETE', `${ME}/sessions/x`, 404, undefined, { token });
    await expectAsDocumented('GET', '/errors/x', 404);
    await expectAsDocumented('POST', `${AUTH}/login`, 413, { email: 'x'.repeat(70_000) });
    await expectAsDocumented('POST', `${AUTH}/login`, 415, undefined, {
      raw: 'a=b',
      headers: { 'content-type': 'text/plain' },
    });
    await expectAsDocumented('POST', `${AUTH}/logout`, 413, { reason: 'x'.repeat(70_000) }, { token });
    await expectAsDocumented('POST', `${AUTH}/logout`, 415, undefined, {
      token,
      raw: 'a=b',
      headers: { 'content-type': 'text/plain' },
    });
    await expectAsDocumented('POST', `${AUTH}/request-password-reset`, 429, { email: 'unknown@example.com' });
  });

  it('holds for requests that reach no operation', async () => {
    await expectAsDocumented('GET', '/api/nowhere', 401);
    await expectAsDocumented('GET', `${AUTH}/nowhere`, 404);
    await expectAsDocumented('GET', `${AUTH}/login`, 405);
  });

  it('holds for an internal error, and while the database is unavailable', async () => {
    await app.sql('ALTER TABLE accounts RENAME TO accounts_away');
    await expectAsDocumented('POST', `${AUTH}/login`, 500, account);
    await app.sql('ALTER TABLE accounts_away RENAME TO accounts');
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const query = jest.spyOn(app.app.get(DataSource), 'query').mockRejectedValue(refused);
    try {
      await expectAsDocumented('GET', '/readyz', 503);
      await expectAsDocumented('POST', `${AUTH}/login`, 503, account);
      await expectAsDocumented('GET', `${ME}/sessions`, 503, undefined, { token });
    } finally {
      query.mockRestore();
    }
  });
});
