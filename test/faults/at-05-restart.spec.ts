import { acceptance, say } from './support/figures.js';
import { Fleet } from './support/fleet.js';

const WINDOW_SECONDS = 2;

/** Rotations must be recorded in the database, not in memory (Keycloak CVE-2026-9802). */
acceptance('at-05', 'a rotated refresh token after everything has crashed', [], (figures) => {
  let fleet: Fleet;
  beforeAll(async () => {
    const settings = { REFRESH_RETRY_WINDOW: String(WINDOW_SECONDS) };
    fleet = await Fleet.start({ replicas: 2, balanced: false, settings });
  });
  afterAll(() => fleet.stop());

  it('is refused, and ends its session', async () => {
    const [here, there] = [fleet.client(0), fleet.client(1)];
    const account = await fleet.register();
    const login = await here.login(account);
    const rotated = await here.post('refresh', { refreshToken: login.refreshToken });
    expect(rotated.status).toBe(200);

    await Promise.all(fleet.replicas.map((replica) => replica.kill()));
    await fleet.postgres.crash();
    await fleet.postgres.revive();
    await Promise.all(fleet.replicas.map((replica) => replica.restart()));
    say('everything was killed and is back');
    await new Promise((resolve) => setTimeout(resolve, WINDOW_SECONDS * 1_000));

    const old = await there.post('refresh', { refreshToken: login.refreshToken });
    const successor = await here.post('refresh', { refreshToken: rotated.body['refreshToken'] });
    const access = await there.call('GET', '/api/v1/iam/me', undefined, {
      token: String(rotated.body['accessToken']),
    });
    figures.note('answer to the rotated token', old.status, '', { exactly: 401 });
    figures.note('answer to its successor', successor.status, '', { exactly: 401 });
    figures.note('answer to the access token', access.status, '', { exactly: 401 });
    const reused = await fleet.postgres.sql(
      "SELECT 1 FROM audit_events WHERE action = 'session.refresh-token-reused'",
    );
    figures.note('events of reuse in the audit trail', reused.length, '', { exactly: 1 });
    figures.none('complaints in the logs', fleet.complaints);
  }, 120_000);
});
