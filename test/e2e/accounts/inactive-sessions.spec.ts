import { readWhole, statementsOf } from '../../support/plans.js';
import { itemsOf, withApp } from '../../support/test-app.js';

const SESSIONS = '/api/v1/iam/me/sessions';
const END = `${SESSIONS}/end-inactive`;

describe('Sessions of an account', () => {
  const app = withApp();

  /** Makes a session look as if it had started, and been used last, some days ago. */
  const age = async (sessionId: string, startedDays: number, usedDays: number): Promise<void> => {
    await app.sql('UPDATE sessions SET created_at = now() - make_interval(days => $2) WHERE id = $1', [
      sessionId,
      startedDays,
    ]);
    await app.sql(
      'UPDATE grants SET last_used_at = now() - make_interval(days => $2) WHERE session_id = $1',
      [sessionId, usedDays],
    );
  };
  const isAlive = async (token: string) => (await app.get('/api/v1/iam/me', token)).status === 200;

  it('end once they are inactive, in one step', async () => {
    const account = await app.register();
    const [mine, inactive, used, young] = await Promise.all([1, 2, 3, 4].map(() => app.login(account)));
    const stranger = await app.login(await app.register());
    if (!mine || !inactive || !used || !young) throw new Error('four sessions');
    await age(mine.sessionId, 40, 31);
    await age(inactive.sessionId, 40, 31);
    await age(used.sessionId, 40, 29);
    await age(young.sessionId, 29, 29);
    await age(stranger.sessionId, 40, 31);
    const end = await app.call('POST', END, { days: 30 }, { token: mine.accessToken });
    expect(end).toMatchObject({ status: 200, body: { ended: 1 } });
    const alive = await Promise.all(
      [mine, inactive, used, young, stranger].map(({ accessToken }) => isAlive(accessToken)),
    );
    expect(alive).toEqual([true, false, true, true, true]);
    expect((await app.post('refresh', { refreshToken: inactive.refreshToken })).status).toBe(401);
    const events = await app.sql(
      "SELECT 1 FROM audit_events WHERE action = 'session.ended' AND subject = $1",
      [`iam/sessions/${inactive.sessionId}`],
    );
    expect(events).toHaveLength(1);
  });

  it.each([0, 366, 1.5, '30'])('do not end for %s days', async (days) => {
    const { accessToken: token } = await app.login(await app.register());
    expect((await app.call('POST', END, { days }, { token })).body).toMatchObject({
      violations: [{ propertyPath: 'days' }],
    });
  });

  it('are found by a part of the device or the beginning of the address', async () => {
    const account = await app.register();
    const agents = [
      'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
      'Mozilla/5.0 (iPhone) Safari/605',
      'a%b_c',
    ];
    for (const agent of agents) await app.post('login', account, { headers: { 'user-agent': agent } });
    const { accessToken: token } = await app.login(account);
    await app.sql("UPDATE sessions SET ip_address = '203.0.113.7' WHERE user_agent = $1", [agents[2]]);
    const find = async (query: string) =>
      itemsOf<{ userAgent: string }>(
        await app.get(`${SESSIONS}?query=${encodeURIComponent(query)}`, token),
      ).map(({ userAgent }) => userAgent);
    expect(await find('firefox')).toEqual([agents[0]]);
    expect(await find('IPHONE')).toEqual([agents[1]]);
    expect(await find('%b_')).toEqual([agents[2]]);
    expect(await find('203.0')).toEqual([agents[2]]);
    expect(await find('0.113')).toEqual([]);
  });

  it('are read by the index of the account', async () => {
    const crowd = await app.login(await app.register());
    await app.sql(
      `INSERT INTO sessions (id, account_id, amr, expires_at)
       SELECT '7ZZZZZZZZZZZZZZZZZZ' || lpad(n::text, 7, '0'), account_id, amr, expires_at
       FROM sessions, generate_series(1, 9000) n WHERE id = $1`,
      [crowd.sessionId],
    );
    await app.sql('ANALYZE sessions');
    const { accessToken: token } = await app.login(await app.register());
    const statements = await statementsOf(async () => {
      await app.get(`${SESSIONS}?query=x`, token);
      await app.call('POST', END, { days: 30 }, { token });
    });
    const ofSessions = statements.filter(([sql]) => /FROM sessions (?:s )?(?:CROSS|WHERE account)/.test(sql));
    expect(ofSessions).toHaveLength(2);
    expect(await readWhole(app, ofSessions)).not.toContainEqual(
      expect.objectContaining({ table: 'sessions' }),
    );
  });
});
