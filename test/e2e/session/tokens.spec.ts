import { request } from 'node:http';
import { Primary } from '../../../src/platform/database/index.js';
import { AppError } from '../../../src/platform/errors/index.js';
import { RefreshTokenCodec } from '../../../src/session/tokens/refresh-token.js';
import { FORGERIES, Genuine } from '../../support/forged-tokens.js';
import { type Answer, TestApp, withApp } from '../../support/test-app.js';

describe('Access tokens', () => {
  let genuine: Genuine;

  const app = withApp();
  beforeAll(async () => {
    genuine = await Genuine.of(app);
  });

  const me = (authorization: string) =>
    app.call('GET', '/api/v1/iam/me', undefined, { headers: { authorization } });

  function expectRefused({ status, headers, body }: Pick<Answer, 'status' | 'headers' | 'body'>): void {
    expect({ status, body }).toMatchObject({
      status: 401,
      body: { type: '/errors/unauthenticated', status: 401 },
    });
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(headers.get('www-authenticate')).toMatch(/^Bearer /);
  }

  it('are accepted when the signature and all claims are right, whatever the case of the scheme', async () => {
    expect((await me(`Bearer ${genuine.signed()}`)).status).toBe(200);
    expect((await me(`bearer ${genuine.accessToken}`)).status).toBe(200);
    expect((await me(`BEARER   ${genuine.accessToken}`)).status).toBe(200);
  });

  it.each([...FORGERIES])('are refused %s', async (_name, forge) => {
    expectRefused(await me(`Bearer ${forge(genuine)}`));
  });

  it('may live for an hour, or as long as is set where that is longer', async () => {
    const living = async (service: TestApp, lifetime: number) => {
      const iat = Math.floor(Date.now() / 1000);
      const token = (await Genuine.of(service)).signed({}, { iat, exp: iat + lifetime });
      return (await service.get('/api/v1/iam/me', token)).status;
    };
    expect([await living(app, 3_600), await living(app, 3_601)]).toEqual([200, 401]);
    const patient = await TestApp.start({ ACCESS_TOKEN_TTL: '7200' });
    try {
      expect([await living(patient, 7_200), await living(patient, 7_201)]).toEqual([200, 401]);
    } finally {
      await patient.stop();
    }
  });

  it('are refused of a session that never was', async () => {
    expectRefused(await me(`Bearer ${genuine.signed({}, { sid: '01ARZ3NDEKTSV4RRFFQ69G5FAV' })}`));
  });

  it.each([
    ['once they have expired', 11 * 60_000],
    ['by a clock that was set back to long before their issue', -2 * 60_000],
  ])('are refused %s, also where they were accepted before', async (_when, later) => {
    const { accessToken } = await app.login(await app.register());
    expect((await me(`Bearer ${accessToken}`)).status).toBe(200);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + later);
    const answer = await me(`Bearer ${accessToken}`).finally(() => clock.mockRestore());
    expectRefused(answer);
    expect((await me(`Bearer ${accessToken}`)).status).toBe(200);
  });

  it('are refused with any one character changed, also where they were accepted before', async () => {
    const { accessToken } = await app.login(await app.register());
    expect((await me(`Bearer ${accessToken}`)).status).toBe(200);
    const [head = '', claimed = '', signature = ''] = accessToken.split('.');
    const other = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
    expectRefused(await me(`Bearer ${other(head)}.${claimed}.${signature}`));
    expectRefused(await me(`Bearer ${head}.${other(claimed)}.${signature}`));
    expectRefused(await me(`Bearer ${head}.${claimed}.${other(signature)}`));
  });

  it('are refused under another scheme, in the query and without a header', async () => {
    expectRefused(await me(`Basic ${genuine.accessToken}`));
    expectRefused(await me(genuine.accessToken));
    expectRefused(await app.get(`/api/v1/iam/me?access_token=${genuine.accessToken}`));
  });

  it.each([[['genuine', 'Bearer x']], [['Bearer x', 'genuine']], [['genuine', 'genuine']]])(
    'are refused in two Authorization headers (%s)',
    async (values) => {
      const authorization = values.map((value) => value.replace('genuine', `Bearer ${genuine.accessToken}`));
      const answer = await new Promise<Answer>((resolve, reject) => {
        request(
          `${app.url}/api/v1/iam/me`,
          { headers: { authorization: authorization as never } },
          (response) => {
            let text = '';
            response.on('data', (chunk: Buffer) => (text += chunk.toString()));
            response.on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                headers: new Headers(response.headers as Record<string, string>),
                body: JSON.parse(text) as Answer['body'],
              }),
            );
          },
        )
          .on('error', reject)
          .end();
      });
      expectRefused(answer);
    },
  );

  it('are no refresh tokens', async () => {
    expect(await app.post('refresh', { refreshToken: genuine.accessToken })).toMatchObject({
      status: 400, // longer than any refresh token
      body: { violations: [{ propertyPath: 'refreshToken' }] },
    });
    const short = genuine.accessToken.slice(-512);
    expect((await app.post('refresh', { refreshToken: short })).body).toMatchObject({
      type: '/errors/invalid-refresh-token',
      status: 401,
    });
  });

  it('are not given for a refresh token of a generation to come, which ends nothing', async () => {
    const { accessToken, refreshToken } = await app.login(await app.register());
    const codec = app.app.get(RefreshTokenCodec, { strict: false });
    const grantId = codec.decode(refreshToken)?.grantId ?? '';
    for (const generation of [2, 3]) {
      const answer = await app.post('refresh', { refreshToken: codec.encode({ grantId, generation }) });
      expect(answer.body).toMatchObject({ type: '/errors/invalid-refresh-token' });
    }
    expect((await me(`Bearer ${accessToken}`)).status).toBe(200);
    expect((await app.post('refresh', { refreshToken })).status).toBe(200);
  });

  it('are not refused for a refresh token that a former primary may not know', async () => {
    const codec = app.app.get(RefreshTokenCodec, { strict: false });
    const unknown = { refreshToken: codec.encode({ grantId: '01ARZ3NDEKTSV4RRFFQ69G5FAV', generation: 1 }) };
    const primary = app.app.get(Primary, { strict: false });
    jest
      .spyOn(primary, 'confirmRead')
      .mockRejectedValueOnce(new AppError('unavailable', { retryAfterSeconds: 1 }));
    expect((await app.post('refresh', unknown)).status).toBe(503);
    expect((await app.post('refresh', unknown)).status).toBe(401);
  });

  it('stay apart from mailed tokens, and these from each other', async () => {
    const email = 'purposes@example.com';
    await app.post('register', { email, password: 'quiet-harbour-42', firstName: 'Ada' });
    const verification = await app.mailedToken(email);
    const violation = { status: 400, body: { violations: [{ propertyPath: 'token' }] } };
    const reset = (token: string) => app.post('reset-password', { token, newPassword: 'a-new-harbour-7' });
    expect(await reset(verification)).toMatchObject(violation);
    expect((await app.post('verify-email', { token: verification })).status).toBe(204);
    await app.post('request-password-reset', { email });
    const resetToken = await app.mailedToken(email, 2);
    expect(await app.post('verify-email', { token: resetToken })).toMatchObject(violation);
    expect(await reset(genuine.accessToken)).toMatchObject(violation);
    expectRefused(await me(`Bearer ${resetToken}`));
    expect((await reset(resetToken)).status).toBe(204);
  });
});
