import { readFileSync } from 'node:fs';
import { BuiltService } from '../../support/built-service.js';
import { eventually, TestApp } from '../../support/test-app.js';

describe('HTTP surface', () => {
  let app: TestApp;
  beforeAll(async () => {
    const limits = { RATE_LOGIN: '3', RATE_WRITE: '1000', TRUSTED_PROXIES: '127.0.0.1' };
    app = await TestApp.start({ ...limits, PUBLIC_URL: 'https://gatehouse.example' }, true);
  });
  afterAll(() => app.stop());
  /** Another client, with its own buckets. */
  const from = (n: number) => ({ 'x-forwarded-for': `198.51.${n >> 8}.${n & 255}` });

  it.each([
    ['GET', '/api/nowhere', 401, '/errors/unauthenticated'],
    ['GET', '/api/v1/iam/auth/nowhere', 404, '/errors/not-found'],
    ['GET', '/nowhere', 404, '/errors/not-found'],
    ['GET', '/api/v1/iam/auth/login', 405, '/errors/method-not-allowed'],
    ['GET', '/api/v1/iam/me', 401, '/errors/unauthenticated'],
    ['GET', '/api/v1/iam/me/%E0%A4%A', 401, '/errors/unauthenticated'],
  ])('answers %s %s with %i and a problem', async (method, path, status, type) => {
    const answer = await app.call(method, path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.body).toMatchObject({
      type,
      status,
      title: expect.any(String),
      detail: expect.any(String),
      instance: `urn:request:${answer.headers.get('x-request-id')}`,
    });
    expect(answer.headers.get('x-ratelimit-remaining')).not.toBeNull();
    if (status === 401) expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    if (status === 405) expect(answer.headers.get('allow')).toBe('POST, OPTIONS');
  });

  it('answers OPTIONS with the methods of the path', async () => {
    const answer = await app.call('OPTIONS', '/api/v1/iam/auth/login');
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
  });

  it.each(['/healthz', '/api/v1/iam/me', '/api/docs/openapi.json', '/nowhere'])(
    'sets the security headers on GET %s',
    async (path) => {
      const { headers } = await app.get(path);
      expect(Object.fromEntries(headers)).toMatchObject({
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none';frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
      });
      expect(headers.get('x-powered-by')).toBeNull();
    },
  );

  it('explains every problem type on a page', async () => {
    const page = await fetch(`${app.url}/errors/validation-error`);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain('Validation error');
  });

  it('counts a request whose body is refused', async () => {
    const answer = await app.post('resend-verification', undefined, { raw: '{"email":' });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('x-ratelimit-limit')).toBe('1000');
  });

  it.each([
    ['not JSON', '{"email":', 'application/json', 400],
    ['too large', JSON.stringify({ email: 'x'.repeat(70_000) }), 'application/json', 413],
    ['of another type', 'email=a@example.com', 'application/x-www-form-urlencoded', 415],
  ])('counts a login whose body is %s', async (_what, raw, type, status) => {
    const answer = await app.post('login', undefined, {
      raw,
      headers: { 'content-type': type, ...from(status) },
    });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-ratelimit-limit')).toBe('3');
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('2');
  });

  it('limits logins per address and says when to come back', async () => {
    const attempt = () => app.post('login', { email: 'a@example.com', password: 'wrong' });
    const answers = [await attempt(), await attempt(), await attempt(), await attempt()];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 429]);
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-limit'))).toEqual(['3', '3', '3', '3']);
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['2', '1', '0', '0']);
    expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });

  it('publishes its OpenAPI document', async () => {
    const { body } = await app.get('/api/docs/openapi.json');
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(body).toMatchObject({ openapi: '3.1.0', info: { title: 'Gatehouse', version } });
    expect(Object.keys(body['paths'] as unknown as object)).toContain('/api/v1/iam/auth/login');
  });
});

describe('The request log', () => {
  it('has one line for every request under its id, the refused ones included, and no address', async () => {
    const service = await BuiltService.start({ LOG_LEVEL: 'info', RATE_READ: '4' });
    try {
      const answers = [
        await service.get('/api/v1/iam/me?secret=canary'),
        await service.get('/api/canary'),
        await service.get('/api/v1/iam/auth/login'),
        await service.call('POST', '/api/v1/iam/auth/login', undefined, { raw: '{"canary":' }),
        await service.call('POST', '/api/v1/iam/auth/login', undefined, {
          raw: 'canary',
          headers: { 'content-type': 'text/plain' },
        }),
        await service.get('/api/v1/iam/me'),
        await service.get('/api/v1/iam/me'),
      ];
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 405, 400, 415, 401, 429]);
      const lines = () =>
        service.output
          .split('\n')
          .filter((line) => line.includes('"context":"Request"'))
          .map((line) => JSON.parse(line) as { requestId: string; status: number });
      await eventually('every line is written', () => lines().length === answers.length);
      expect(lines().map(({ requestId, status }) => [requestId, status])).toEqual(
        answers.map(({ status, headers }) => [headers.get('x-request-id'), status]),
      );
      expect(service.output).not.toContain('canary');
    } finally {
      await service.stop();
    }
  });
});
