import { withApp } from '../../support/test-app.js';

const LIMIT = 4;
const PASSWORD = 'quiet-harbour-42';

describe('Requests that hash a password', () => {
  const app = withApp({ RATE_HASH: String(LIMIT), TRUSTED_PROXIES: '127.0.0.1' });

  /** Returns the headers of a client with this address. */
  const from = (address: string) => ({ 'x-forwarded-for': address });

  /** Creates accounts, each from its own address. @returns their access tokens */
  async function tokens(count: number): Promise<string[]> {
    const all: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const email = `owner-${count}-${n}@example.com`;
      const headers = from(`203.0.113.${count * 16 + n}`);
      await app.post('register', { email, password: PASSWORD, firstName: 'Ada' }, { headers });
      await app.post('verify-email', { token: await app.mailedToken(email) }, { headers });
      all.push((await app.login({ email, password: PASSWORD })).accessToken);
    }
    return all;
  }

  const changePassword = (token: string, address: string) =>
    app.call(
      'PUT',
      '/api/v1/iam/me/password',
      { currentPassword: 'a-wrong-guess', newPassword: 'calm-harbour-43' },
      { token, headers: from(address) },
    );

  it('are limited by network, whatever the number of accounts', async () => {
    const owners = await tokens(8);
    const answers = [];
    for (const token of owners) answers.push(await changePassword(token, '198.51.100.1'));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 429, 429, 429, 429]);
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-limit'))).toEqual(
      answers.map(() => String(LIMIT)),
    );
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await changePassword(owners[0] ?? '', '198.51.100.2')).status).toBe(400);
  });

  it('share one limit over all routes', async () => {
    const [token = ''] = await tokens(1);
    const headers = from('198.51.100.3');
    const newcomer = { email: 'newcomer@example.com', password: PASSWORD, firstName: 'Ada' };
    const reset = { token: 'A'.repeat(43), newPassword: PASSWORD };
    const answers = [
      await app.post('register', newcomer, { headers }),
      await app.post('reset-password', reset, { headers }),
      await changePassword(token, '198.51.100.3'),
      await app.post('register', newcomer, { headers, token }),
      await app.post('register', newcomer, { headers }),
      await app.post('reset-password', reset, { headers, token }),
      await changePassword(token, '198.51.100.3'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 400, 400, 202, 429, 429, 429]);
    const login = { email: newcomer.email, password: PASSWORD };
    expect((await app.post('login', login, { headers })).status).toBe(403);
  });

  it('count by the /64 of an IPv6 address', async () => {
    const newcomer = { email: 'roaming@example.com', password: PASSWORD, firstName: 'Ada' };
    const statuses = [];
    for (let n = 0; n <= LIMIT; n += 1) {
      const headers = from(`2001:db8:1:2::${n + 1}`);
      statuses.push((await app.post('register', newcomer, { headers })).status);
    }
    expect(statuses).toEqual([202, 202, 202, 202, 429]);
  });
});
