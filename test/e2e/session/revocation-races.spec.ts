import { roundsOf } from '../../support/long.js';
import { withApp } from '../../support/test-app.js';

const ROUNDS = roundsOf({ short: 8, long: 200 });

/** After the response to an end of sessions, no refresh of them succeeds, even one in flight. */
describe('Refresh against what ends a session', () => {
  const app = withApp();

  const refresh = (refreshToken: string) => app.post('refresh', { refreshToken });

  async function expectDead(
    tokens: { accessToken: string; refreshToken: string },
    refreshed: Awaited<ReturnType<typeof refresh>>,
  ): Promise<void> {
    const successor =
      refreshed.status === 200
        ? {
            accessToken: String(refreshed.body['accessToken']),
            refreshToken: String(refreshed.body['refreshToken']),
          }
        : tokens;
    expect((await refresh(successor.refreshToken)).status).toBe(401);
    expect((await app.get('/api/v1/iam/me', successor.accessToken)).status).toBe(401);
  }

  it.each(['logout', 'logout-all'])('stays ended after %s', async (operation) => {
    const account = await app.register();
    for (let round = 0; round < ROUNDS; round += 1) {
      const session = await app.login(account);
      const [refreshed, ended] = await Promise.all([
        refresh(session.refreshToken),
        app.post(operation, undefined, { token: session.accessToken }),
      ]);
      expect(ended.status).toBe(204);
      await expectDead(session, refreshed);
    }
  });

  it('stays ended after logout from other devices', async () => {
    const account = await app.register();
    for (let round = 0; round < ROUNDS; round += 1) {
      const [here, there] = [await app.login(account), await app.login(account)];
      const [refreshed, ended] = await Promise.all([
        refresh(there.refreshToken),
        app.post('logout-others', undefined, { token: here.accessToken }),
      ]);
      expect(ended.status).toBe(204);
      await expectDead(there, refreshed);
    }
  });

  it('stays ended after a change of password in another session', async () => {
    let account = await app.register();
    for (let round = 0; round < ROUNDS; round += 1) {
      const [here, there] = [await app.login(account), await app.login(account)];
      const newPassword = `quiet-harbour-${round}`;
      const [refreshed, changed] = await Promise.all([
        refresh(there.refreshToken),
        app.call(
          'PUT',
          '/api/v1/iam/me/password',
          { currentPassword: account.password, newPassword },
          { token: here.accessToken },
        ),
      ]);
      expect(changed.status).toBe(204);
      account = { ...account, password: newPassword };
      await expectDead(there, refreshed);
    }
  });

  it('stays ended after suspension', async () => {
    const account = await app.register();
    for (let round = 0; round < ROUNDS; round += 1) {
      const session = await app.login(account);
      const [refreshed] = await Promise.all([
        refresh(session.refreshToken),
        app.command('account:suspend', '--account', account.email),
      ]);
      await expectDead(session, refreshed);
      await app.command('account:restore', '--account', account.email);
      await expectDead(session, refreshed);
    }
  });

  it('stays ended after erasure', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const session = await app.login(await app.register());
      const [refreshed, erased] = await Promise.all([
        refresh(session.refreshToken),
        app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: session.accessToken }),
      ]);
      expect(erased.status).toBe(204);
      await expectDead(session, refreshed);
    }
  });
});
