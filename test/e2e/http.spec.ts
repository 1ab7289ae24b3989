import { TestApp } from '../support/test-app.js';

describe('HTTP surface', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({ RATE_LOGIN: '3', RATE_WRITE: '1000' }, true);
  });
  afterAll(() => app.stop());

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

  it('explains every problem type on a page', async () => {
    const page = await fetch(`${app.url}/errors/validation-error`);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain('Validation Error');
  });

  const deep = `${'['.repeat(33)}${']'.repeat(33)}`;
  it.each([
    ['malformed', '{"email":', 400],
    ['too deep', `{"email":${deep}}`, 400],
    ['a key given twice', '{"email":"a@example.com","email":"b@example.com"}', 400],
    ['a polluting key', '{"__proto__":{"a":1}}', 400],
    ['an escaped polluting key', '{"\\u005f_proto__":{"a":1}}', 400],
    ['an array', '[]', 400],
    ['too large', JSON.stringify({ email: 'x'.repeat(70_000) }), 413],
  ])('refuses a body that is %s', async (_name, raw, status) => {
    const answer = await app.call('POST', '/api/v1/iam/auth/register', undefined, { raw });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-ratelimit-limit')).toBe('1000');
  });

  it('refuses a body that is not JSON', async () => {
    const answer = await app.call('POST', '/api/v1/iam/auth/register', undefined, {
      raw: 'a=b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.body).toMatchObject({ type: '/errors/unsupported-media-type', status: 415 });
  });

  const register = {
    email: 'new@example.com',
    password: 'quiet-harbour-42',
    firstName: 'Ada',
    company: 'Co',
    country: 'GB',
    marketingOptIn: true,
  };
  const bodies: [string, Record<string, unknown>, string[]][] = [
    ['register', register, ['email', 'password', 'firstName']],
    ['login', { email: 'a@example.com', password: 'quiet-harbour-42' }, ['email', 'password']],
    ['refresh', { refreshToken: 'x' }, ['refreshToken']],
    ['verify-email', { token: 'x' }, ['token']],
    ['resend-verification', { email: 'a@example.com' }, ['email']],
    ['request-password-reset', { email: 'a@example.com' }, ['email']],
    ['reset-password', { token: 'x', newPassword: 'quiet-harbour-42' }, ['token', 'newPassword']],
  ];
  const bad: [string, unknown][] = [
    ['missing', undefined],
    ['null', null],
    ['a number', 7],
    ['an array', ['x']],
    ['an object', { x: 1 }],
    ['empty', ''],
    ['overlong', 'x'.repeat(3_000)],
    ['with a control character', 'abc\u0000defgh'],
  ];
  it.each(bodies)(
    'names each wrong field of %s in a violation of its own',
    async (operation, body, required) => {
      const lenient = await TestApp.start();
      try {
        for (const field of Object.keys(body)) {
          for (const [name, value] of bad) {
            if (value === undefined && !required.includes(field)) continue;
            const { status, body: problem } = await lenient.post(operation, { ...body, [field]: value });
            expect({
              field,
              name,
              status,
              violations: (problem['violations'] as { propertyPath: string }[] | undefined)?.map(
                ({ propertyPath }) => propertyPath,
              ),
            }).toEqual({ field, name, status: 400, violations: [field] });
          }
        }
        expect(await lenient.sql('SELECT 1 FROM pending_registrations')).toHaveLength(0);
      } finally {
        await lenient.stop();
      }
    },
  );

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
    expect(body).toMatchObject({ openapi: '3.1.0', info: { title: 'Gatehouse', version: '1.0.0' } });
    expect(Object.keys(body['paths'] as unknown as object)).toContain('/api/v1/iam/auth/login');
    expect((await fetch(`${app.url}/api/docs/swagger-ui-bundle.js`)).status).toBe(200);
  });
});
