import { Client } from 'pg';
import { age } from '../../support/ageing.js';
import { eventually, withApp } from '../../support/test-app.js';

const FREE_FAILURES = 5;
const HOUR = 3_600;
const DAY = 86_400;

describe('Guessing a password', () => {
  let account: { email: string; password: string };
  const app = withApp({ TRUSTED_PROXIES: '127.0.0.1' });
  beforeEach(async () => {
    await app.sql('DELETE FROM login_throttles');
    account = await app.register();
  });

  let networks = 0;
  const newNetwork = (): string => `198.${(networks += 1) >> 8}.${networks & 255}.7`;
  const login = async (password: string, address: string, email = account.email): Promise<number> =>
    (await app.post('login', { email, password }, { headers: { 'x-forwarded-for': address } })).status;
  const guess = async (count: number, address: string): Promise<void> => {
    for (let n = 0; n < count; n += 1) expect(await login('a-wrong-guess', address)).toBe(401);
  };
  const right = (address: string): Promise<number> => login(account.password, address);
  /** Sets the failures from all networks to a number. */
  const failEverywhere = async (failures: number): Promise<void> => {
    await guess(1, newNetwork());
    await app.sql('UPDATE login_throttles SET failures = $1 WHERE failures > 0', [failures]);
  };

  /** Runs work while another transaction holds a lock that it needs, changes rows and commits. */
  async function duringChange<T>(
    hold: string,
    work: () => Promise<T>,
    changes: readonly string[],
  ): Promise<T> {
    const other = new Client({ connectionString: app.databaseUrl });
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query(hold);
      const waiting = work();
      await eventually('it waits', async () => (await app.waitingForLocks()) > 0);
      for (const change of changes) await other.query(change);
      await other.query('COMMIT');
      return await waiting;
    } finally {
      await other.end();
    }
  }

  it('is blocked from the fifth failure on, from that network and for a while only', async () => {
    const [here, other] = [newNetwork(), newNetwork()];
    await guess(FREE_FAILURES - 1, here);
    expect(await right(here)).toBe(200);
    await guess(FREE_FAILURES, here);
    expect(await right(here)).toBe(401);
    expect(await right(other)).toBe(200);
    await app.sql(
      "UPDATE login_throttles SET blocked_until = now() - interval '1 millisecond' WHERE blocked_until > now()",
    );
    expect(await right(here)).toBe(200);
    expect(await right(here)).toBe(200);
  });

  it('is blocked longer after each failure, for 30 s at most', async () => {
    const here = newNetwork();
    const waits: number[] = [];
    for (let n = 1; n <= 12; n += 1) {
      await guess(1, here);
      const [row] = await app.sql<{ seconds: number }>(
        'SELECT greatest(0, round(extract(epoch FROM max(blocked_until) - now())))::int AS seconds FROM login_throttles',
      );
      waits.push(row?.seconds ?? NaN);
      await app.sql("UPDATE login_throttles SET blocked_until = '-infinity'");
    }
    expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 30, 30, 30]);
  });

  it('counts a /64 as one network', async () => {
    for (let n = 0; n < FREE_FAILURES; n += 1) await guess(1, `2001:db8:1:2:${n}::1`);
    expect(await right('2001:db8:1:2:ffff::9')).toBe(401);
    expect(await right('2001:db8:1:3::9')).toBe(200);
  });

  it('does not count a blocked attempt', async () => {
    const here = newNetwork();
    await guess(FREE_FAILURES, here);
    const counted = () =>
      app.sql('SELECT failures, blocked_until FROM login_throttles ORDER BY account_key, network_key');
    const before = await counted();
    await guess(3, here);
    expect(await counted()).toEqual(before);
  });

  it('is forgotten an hour after the last failure, and not before', async () => {
    const here = newNetwork();
    await guess(FREE_FAILURES - 1, here);
    await age(app, 'login_throttles', HOUR - 60, 'failures > 0');
    await guess(1, here);
    expect(await right(here)).toBe(401);
    await age(app, 'login_throttles', HOUR + 1, "blocked_until > '-infinity'");
    await guess(FREE_FAILURES - 1, here);
    expect(await right(here)).toBe(200);
  });

  it("is blocked after 100 failures from all networks, except from the owner's", async () => {
    const [home, abroad] = [newNetwork(), newNetwork()];
    expect(await right(home)).toBe(200);
    await failEverywhere(99);
    expect(await right(abroad)).toBe(200);
    await failEverywhere(100);
    expect(await right(newNetwork())).toBe(401);
    expect(await right(home)).toBe(200);
    expect(await right(newNetwork())).toBe(200); // the right password has reset the count
  });

  it('counts over all networks for thirty days', async () => {
    await failEverywhere(100);
    await age(app, 'login_throttles', 30 * DAY - 60);
    expect(await right(newNetwork())).toBe(401);
    await age(app, 'login_throttles', 61);
    expect(await right(newNetwork())).toBe(200);
  });

  it('is possible from a network of the owner for ninety days', async () => {
    const home = newNetwork();
    expect(await right(home)).toBe(200);
    await age(app, 'login_throttles', 90 * DAY - 60);
    await failEverywhere(100);
    await app.sql("UPDATE login_throttles SET failures = 0 WHERE trusted_until > '-infinity'");
    const [{ trusted } = { trusted: 0 }] = await app.sql<{ trusted: number }>(
      'SELECT count(*)::int AS trusted FROM login_throttles WHERE trusted_until > now()',
    );
    expect(trusted).toBe(1);
    await age(app, 'login_throttles', 61, "trusted_until > '-infinity'");
    expect(await right(home)).toBe(401);
  });

  it('counts for each account on its own', async () => {
    const here = newNetwork();
    const other = await app.register();
    await guess(FREE_FAILURES, here);
    expect(await login(other.password, here, other.email)).toBe(200);
  });

  it('is checked again after hashing: parallel guesses share the attempts', async () => {
    const here = newNetwork();
    await guess(FREE_FAILURES - 1, here);
    const status = await duringChange('LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE', () => right(here), [
      `UPDATE login_throttles SET failures = ${FREE_FAILURES}, blocked_until = now() + interval '30 seconds'`,
    ]);
    expect(status).toBe(401);
  });

  it.each([
    ['a new password', 'password_version = password_version + 1'],
    ['a suspension', 'suspended_at = now()'],
    [
      'an erasure',
      `email = NULL, email_key = NULL, password_hash = NULL, first_name = NULL, company = NULL, country = NULL,
       marketing_opt_in = false, erased_at = now()`,
    ],
  ])('starts no session after %s in between', async (_what, change) => {
    const here = newNetwork();
    const { length: sessions } = await app.sql('SELECT 1 FROM sessions');
    const changed = `UPDATE accounts SET ${change} WHERE email_key = '${account.email}'`;
    expect(await duringChange(changed, () => right(here), [])).toBe(401);
    expect(await app.sql('SELECT 1 FROM sessions')).toHaveLength(sessions);
  });
});
