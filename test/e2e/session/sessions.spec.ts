import { roundsOf } from '../../support/long.js';
import { statementsOf } from '../../support/plans.js';
import { eventually, withApp } from '../../support/test-app.js';

const ROUNDS = roundsOf({ short: 10, long: 100 });

describe('Sessions', () => {
  let account: { email: string; password: string };
  const app = withApp();
  beforeAll(async () => {
    account = await app.register();
  });
  const refresh = (refreshToken: string) => app.post('refresh', { refreshToken });

  it('answers a login with the token response', async () => {
    const { status, headers, body } = await app.post('login', account);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      tokenType: 'Bearer',
      accessToken: expect.any(String),
      expiresIn: 600,
      refreshToken: expect.any(String),
      refreshExpiresIn: 2_592_000,
      sessionId: expect.stringMatching(/^[0-9A-Z]{26}$/),
      tenantId: null,
    });
    const [header, claims] = String(body['accessToken'])
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
    expect(header).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
    expect(claims).toMatchObject({
      iss: 'http://gatehouse.test',
      aud: 'http://gatehouse.test',
      sid: body['sessionId'],
      client_id: 'gatehouse',
      amr: ['pwd'],
    });
    expect((await app.get('/.well-known/jwks.json')).body).toMatchObject({
      keys: expect.arrayContaining([expect.objectContaining({ kid: header.kid, alg: 'ES256', kty: 'EC' })]),
    });
  });

  it('answers a wrong password and an unknown address alike', async () => {
    const wrong = await app.post('login', { ...account, password: 'wrong' });
    const unknown = await app.post('login', { email: 'unknown@example.com', password: 'wrong' });
    const plain = (problem: Record<string, unknown>) => ({ ...problem, instance: null });
    expect(plain(wrong.body)).toEqual(plain(unknown.body));
    expect(wrong.body).toMatchObject({ type: '/errors/invalid-credentials', status: 401 });
  });

  it('gives twenty parallel refreshes the same successor, again and again', async () => {
    let { refreshToken } = await app.login(account);
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(refreshToken)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const successors = new Set(answers.map(({ body }) => String(body['refreshToken'])));
      expect(successors.size).toBe(1);
      refreshToken = [...successors][0] ?? '';
    }
    const [, generation] = refreshToken.split('.');
    expect(generation).toBe(String(ROUNDS + 1));
  });

  it('ends the session when a grandparent comes back', async () => {
    const first = await app.login(account);
    const second = await refresh(first.refreshToken);
    const third = await refresh(String(second.body['refreshToken']));
    expect((await refresh(first.refreshToken)).body).toMatchObject({ type: '/errors/invalid-refresh-token' });
    expect((await refresh(String(third.body['refreshToken']))).status).toBe(401);
    expect((await app.get('/api/v1/iam/me', String(third.body['accessToken']))).status).toBe(401);
    expect(
      await app.sql(
        "SELECT 1 FROM audit_events WHERE action = 'session.refresh-token-reused' AND subject = 'iam/sessions/' || $1",
        [first.sessionId],
      ),
    ).toHaveLength(1);
  });

  it('ends the session when the parent comes back after the retry window', async () => {
    const first = await app.login(account);
    const second = await refresh(first.refreshToken);
    await app.sql("UPDATE grants SET rotated_at = now() - interval '31 seconds' WHERE session_id = $1", [
      first.sessionId,
    ]);
    expect((await refresh(first.refreshToken)).status).toBe(401);
    expect((await refresh(String(second.body['refreshToken']))).status).toBe(401);
  });

  it('refuses a forged refresh token and leaves the session alone', async () => {
    const { refreshToken } = await app.login(account);
    const forged = `${refreshToken.slice(0, -43)}${'A'.repeat(43)}`;
    expect((await refresh(forged)).status).toBe(401);
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  it('logs out of this session, of another one and of all', async () => {
    const [a, b, c] = [await app.login(account), await app.login(account), await app.login(account)];
    const alive = async () =>
      Promise.all(
        [a, b, c].map(async ({ accessToken }) => (await app.get('/api/v1/iam/me', accessToken)).status),
      );
    expect(await alive()).toEqual([200, 200, 200]);
    expect((await app.post('logout', undefined, { token: a.accessToken })).status).toBe(204);
    expect(await alive()).toEqual([401, 200, 200]);
    expect((await app.post('logout-others', undefined, { token: b.accessToken })).status).toBe(204);
    expect(await alive()).toEqual([401, 200, 401]);
    expect((await app.post('logout-all', undefined, { token: b.accessToken })).status).toBe(204);
    expect(await alive()).toEqual([401, 401, 401]);
  });

  it("lists my sessions and ends one of them, never a stranger's", async () => {
    const [mine, other] = [await app.login(account), await app.login(account)];
    const stranger = await app.login(await app.register());
    const list = (await app.get('/api/v1/iam/me/sessions', mine.accessToken)).body['items'] as unknown as {
      id: string;
      current: boolean;
    }[];
    expect(list.find(({ current }) => current)?.id).toBe(mine.sessionId);
    const end = (id: string) =>
      app.call('DELETE', `/api/v1/iam/me/sessions/${id}`, undefined, { token: mine.accessToken });
    expect((await end(stranger.sessionId)).status).toBe(404);
    expect((await end(other.sessionId)).status).toBe(204);
    expect((await app.get('/api/v1/iam/me', other.accessToken)).status).toBe(401);
    expect((await app.get('/api/v1/iam/me', stranger.accessToken)).status).toBe(200);
  });

  it('lists my sessions page by page, the newest first', async () => {
    const account = await app.register();
    const sessions = [await app.login(account), await app.login(account), await app.login(account)];
    const read = async (query: string) =>
      (await app.get(`/api/v1/iam/me/sessions?limit=1${query}`, sessions[0]?.accessToken)).body;
    const ids: unknown[] = [];
    let query = '';
    do {
      const { items, nextCursor } = (await read(query)) as unknown as {
        items: { id: string }[];
        nextCursor: string | null;
      };
      ids.push(...items.map(({ id }) => id));
      query = nextCursor === null ? '' : `&cursor=${nextCursor}`;
    } while (query !== '' && ids.length < 9);
    expect(ids).toEqual(sessions.map(({ sessionId }) => sessionId).toReversed());
  });

  it('tells another replica of a logout', async () => {
    const { accessToken } = await app.login(account);
    expect((await app.get('/api/v1/iam/me', accessToken)).status).toBe(200);
    await app.sql('UPDATE sessions SET ended_at = now() WHERE id = (SELECT max(id) FROM sessions)');
    await app.sql("SELECT pg_notify('gatehouse_session_ended', max(id)) FROM sessions");
    // Before the cached state expires.
    const isRefused = async () => (await app.get('/api/v1/iam/me', accessToken)).status === 401;
    await eventually('the session has ended here', isRefused, 2_500);
  });

  it('ends the oldest session of an account that has ten thousand others', async () => {
    const stranger = await app.login(await app.register());
    const account = await app.register();
    const [oldest, second] = [await app.login(account), await app.login(account)];
    const ended = await app.login(account); // does not count
    await app.post('logout', undefined, { token: ended.accessToken });
    await app.sql(
      `INSERT INTO sessions (id, account_id, amr, expires_at)
       SELECT '7ZZZZZZZZZZZZZZZZZZ' || lpad(n::text, 7, '0'), account_id, amr, expires_at
       FROM sessions, generate_series(1, 9998) n WHERE id = $1`,
      [oldest.sessionId],
    );
    await app.login(account);
    await eventually('the session has ended', async () => {
      return (await app.get('/api/v1/iam/me', oldest.accessToken)).status === 401;
    });
    expect((await app.get('/api/v1/iam/me', second.accessToken)).status).toBe(200);
    expect((await app.get('/api/v1/iam/me', stranger.accessToken)).status).toBe(200);
    expect((await app.post('logout-all', undefined, { token: second.accessToken })).status).toBe(204);
  });

  it('writes the end of all sessions to the trail at once, however many they are', async () => {
    const account = await app.register();
    const { accessToken: token } = await app.login(account);
    for (let n = 0; n < 20; n += 1) await app.login(account);
    const statements = await statementsOf(() => app.post('logout-all', undefined, { token }));
    expect(statements.filter(([sql]) => sql.includes('INSERT INTO audit_events'))).toHaveLength(1);
    const ended = await app.sql(
      `SELECT DISTINCT subject FROM audit_events e JOIN accounts a ON a.id = e.account_id
       WHERE a.email = $1 AND action = 'session.ended'`,
      [account.email],
    );
    expect(ended).toHaveLength(21);
  });
});
