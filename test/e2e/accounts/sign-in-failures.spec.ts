import { CleanupService } from '../../../src/platform/cleanup/cleanup.js';
import { age } from '../../support/ageing.js';
import { inTurnBehind } from '../../support/locks.js';
import { Person } from '../../support/organization.js';
import { statementsOf } from '../../support/plans.js';
import { itemsOf, withApp } from '../../support/test-app.js';

const HOUR = 3_600;

interface Series {
  readonly count: number;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly network: string | null;
  readonly ended: boolean;
}

interface Event {
  readonly action: string;
  readonly actorId: string;
  readonly subject: string;
  readonly details?: Series;
}

describe('Failed sign-ins', () => {
  let owner: Person;
  const app = withApp({ TRUSTED_PROXIES: '127.0.0.1' });
  beforeEach(async () => {
    await app.sql('DELETE FROM login_throttles');
    owner = await Person.signUp(app);
  });

  let networks = 0;
  const newNetwork = (): string => `198.19.${(networks += 1) >> 8}.${networks & 255}`;
  const login = async (password: string, address: string, email = owner.email): Promise<number> =>
    (await app.post('login', { email, password }, { headers: { 'x-forwarded-for': address } })).status;
  /** Sends wrong passwords, none of which is blocked. */
  const guess = async (count: number, address: string, email = owner.email): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      expect(await login('a-wrong-guess', address, email)).toBe(401);
      await app.sql("UPDATE login_throttles SET blocked_until = '-infinity'");
    }
  };
  /** Lists the events of failed sign-ins, oldest first, as the person reads them. */
  const events = async (person = owner): Promise<Event[]> => {
    const { accessToken } = await app.login(person);
    const trail = await app.get('/api/v1/iam/me/audit-events?limit=100', accessToken);
    return itemsOf<Event>(trail)
      .filter(({ action }) => action === 'account.sign-in-failed')
      .toReversed();
  };
  const series = async (person = owner): Promise<Partial<Series>[]> =>
    (await events(person)).map(({ details }) => ({ count: details?.count, ended: details?.ended }));
  const cleanUp = () => app.app.get(CleanupService, { strict: false }).run();

  it('are recorded at 5, 10 and 20, and not each', async () => {
    const before = Date.now();
    await guess(21, newNetwork());
    const found = await events();
    expect(found.map(({ details }) => details?.count)).toEqual([5, 10, 20]);
    const name = expect.stringMatching(/^[0-9a-f]{32}$/);
    for (const { actorId, subject, details } of found) {
      expect({ actorId, subject }).toEqual({ actorId: owner.id, subject: `iam/accounts/${owner.id}` });
      expect(details).toMatchObject({ network: name, ended: false, firstAt: found[0]?.details?.firstAt });
    }
    const times = found.flatMap(({ details }) =>
      [details?.firstAt, details?.lastAt].map((at) => Date.parse(at ?? '')),
    );
    expect(Math.min(...times)).toBeGreaterThanOrEqual(before - 1_000);
    expect(times).toEqual(times.map((_, n) => (n % 2 === 0 ? times[0] : times[n])));
    expect(times.filter((_, n) => n % 2 === 1)).toEqual(times.filter((_, n) => n % 2 === 1).toSorted());
  });

  it('are recorded with the whole count after an hour without a failure, and not before', async () => {
    await guess(7, newNetwork());
    await age(app, 'login_throttles', HOUR - 60);
    await cleanUp();
    expect(await series()).toEqual([{ count: 5, ended: false }]);
    await age(app, 'login_throttles', 61);
    await cleanUp();
    await cleanUp();
    expect(await series()).toEqual([
      { count: 5, ended: false },
      { count: 7, ended: true },
    ]);
  });

  it('are recorded when the right password follows', async () => {
    const here = newNetwork();
    await guess(2, here);
    expect(await login(owner.password, here)).toBe(200);
    expect(await login(owner.password, here)).toBe(200);
    expect(await series()).toEqual([{ count: 2, ended: true }]);
    await guess(1, here);
    expect(await login(owner.password, here)).toBe(200);
    expect((await series()).at(-1)).toEqual({ count: 1, ended: true });
  });

  it('of a series that has been recorded are not recorded once more', async () => {
    const home = newNetwork();
    expect(await login(owner.password, home)).toBe(200); // the row stays: the network is trusted
    await guess(5, home);
    await age(app, 'login_throttles', HOUR + 1);
    await cleanUp();
    await age(app, 'login_throttles', HOUR + 1);
    await guess(1, home);
    expect(await series()).toEqual([
      { count: 5, ended: false },
      { count: 5, ended: true },
    ]);
  });

  it('begin another series after an hour, also before the cleanup has recorded the first', async () => {
    const home = newNetwork();
    expect(await login(owner.password, home)).toBe(200);
    for (const address of [newNetwork(), home]) {
      await guess(3, address);
      await age(app, 'login_throttles', HOUR + 1);
      await guess(2, address);
    }
    expect((await series()).filter(({ count }) => count === 3)).toEqual([
      { count: 3, ended: true },
      { count: 3, ended: true },
    ]);
    await age(app, 'login_throttles', HOUR + 1);
    await cleanUp();
    const all = await events();
    expect(all.map(({ details }) => details?.count).toSorted()).toEqual([2, 2, 3, 3]);
    for (const { details } of all)
      expect(Date.parse(details?.lastAt ?? '') - Date.parse(details?.firstAt ?? '')).toBeLessThan(
        HOUR * 1_000,
      );
  });

  describe('that are parallel', () => {
    /** Sends logins while another transaction holds the counts, and returns their statuses. */
    const whileCountsAreHeld = (logins: readonly (() => Promise<number>)[]): Promise<number[]> =>
      inTurnBehind<number[]>(app, ['SELECT 1 FROM login_throttles FOR UPDATE'], ...logins);

    it('record the end of an earlier series once', async () => {
      const here = newNetwork();
      await guess(3, here);
      await age(app, 'login_throttles', HOUR + 1);
      const wrong = (): Promise<number> => login('a-wrong-guess', here);
      expect(await whileCountsAreHeld([wrong, wrong, wrong])).toEqual([401, 401, 401]);
      expect(await app.sql('SELECT max(series_failures) AS count FROM login_throttles')).toEqual([
        { count: 3 },
      ]);
      expect(await series()).toEqual([{ count: 3, ended: true }]);
    });

    it('record the end of a series once if the right password comes twice', async () => {
      const here = newNetwork();
      await guess(3, here);
      // Without the row of all networks, which each login removes in its own statement.
      await app.sql('DELETE FROM login_throttles WHERE series_failures = 0');
      const right = (): Promise<number> => login(owner.password, here);
      expect(await whileCountsAreHeld([right, right])).toEqual([200, 200]);
      expect(await series()).toEqual([{ count: 3, ended: true }]);
    });

    it('and the right passwords between them do not deadlock', async () => {
      const [here, there] = [newNetwork(), newNetwork()];
      const send = async (n: number): Promise<number> => {
        const password = n % 3 === 0 ? owner.password : 'a-wrong-guess';
        const status = await login(password, n % 2 === 0 ? here : there);
        await app.sql(
          "UPDATE login_throttles SET blocked_until = '-infinity', series_failed_at = now() - interval '2 hours' WHERE network_key = (SELECT max(network_key) FROM login_throttles)",
        );
        return status;
      };
      // So few at once that a busy machine hashes them all in time.
      for (let round = 0; round < 5; round += 1) {
        const statuses = await Promise.all(Array.from({ length: 12 }, (_, n) => send(n)));
        // The right password may be refused as well, while the failures before it slow the network.
        for (const status of statuses) expect([200, 401]).toContain(status);
      }
      await app.sql('DELETE FROM login_throttles');
      expect(await login(owner.password, here)).toBe(200);
    });
  });

  it('name a network by the same hash for all accounts, and never by its address', async () => {
    const [here, there] = [newNetwork(), newNetwork()];
    const other = await Person.signUp(app);
    for (const email of [owner.email, other.email]) await guess(5, here, email);
    await guess(5, there);
    const [mine, others] = [await events(), await events(other)];
    expect(mine.map(({ details }) => details?.network === others[0]?.details?.network)).toEqual([
      true,
      false,
    ]);
    const text = JSON.stringify(await app.sql('SELECT * FROM audit_details')) + JSON.stringify(mine);
    for (const personal of [here, there, owner.email]) expect(text).not.toContain(personal);
  });

  it('from many networks are recorded for all of them together', async () => {
    for (let n = 0; n < 25; n += 1) await guess(1, newNetwork());
    expect((await events()).map(({ details }) => details)).toEqual([
      expect.objectContaining({ count: 25, network: null, ended: false }),
    ]);
  });

  it('include wrong passwords of a signed-in caller', async () => {
    const headers = { 'x-forwarded-for': newNetwork() };
    const body = { currentPassword: 'a-wrong-guess', newPassword: 'calm-harbour-43' };
    for (let n = 0; n < 5; n += 1)
      await app.call('PUT', '/api/v1/iam/me/password', body, { token: owner.token, headers });
    expect(await series()).toEqual([{ count: 5, ended: false }]);
  });

  it('end with a password reset', async () => {
    await guess(3, newNetwork());
    await app.post('request-password-reset', { email: owner.email });
    const token = await app.mailedToken(owner.email, 2);
    expect((await app.post('reset-password', { token, newPassword: owner.password })).status).toBe(204);
    expect(await series()).toEqual([{ count: 3, ended: true }]);
  });

  it('are not recorded for an address without an account, by the same statements', async () => {
    const { length: before } = await app.sql('SELECT 1 FROM audit_events');
    const [here, unknown] = [newNetwork(), 'unknown@example.com'];
    for (let n = 1; n <= 5; n += 1) {
      const known = await statementsOf(() => guess(1, here));
      const strange = await statementsOf(() => guess(1, here, unknown));
      expect(ofRequests(strange)).toEqual(ofRequests(known));
      expect(ofRequests(known).length).toBeGreaterThan(2);
    }
    await age(app, 'login_throttles', HOUR + 1);
    await cleanUp();
    expect(
      await app.sql(
        'SELECT 1 FROM login_throttles WHERE account_id IS NULL AND failures > 0 AND series_failures > 0',
      ),
    ).toEqual([]);
    expect(await app.sql('SELECT 1 FROM audit_events')).toHaveLength(before + 2);
  });

  it('are listed for operators', async () => {
    await guess(6, newNetwork());
    const [event] = await events();
    const listed = await app.command('account:sign-in-failures', '--account', owner.email);
    expect(listed).toEqual({
      accountId: owner.id,
      series: [{ recordedAt: expect.any(Date), ...event?.details }],
    });
    expect(await app.command('account:sign-in-failures', '--account', owner.id)).toEqual(listed);
  });

  it('cannot be changed in the audit trail', async () => {
    await guess(5, newNetwork());
    await expect(app.sql("UPDATE audit_details SET details = '{}'")).rejects.toThrow('append-only');
    await expect(app.sql('TRUNCATE audit_details')).rejects.toThrow('append-only');
  });

  describe('of an account that is erased', () => {
    const traces = () =>
      app.sql(
        `SELECT account_id FROM audit_details WHERE account_id = $1 UNION ALL
         SELECT account_id FROM login_throttles WHERE account_id = $1`,
        [owner.id],
      );
    const erase = () => app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: owner.token });

    it('leave no details', async () => {
      await guess(5, newNetwork());
      expect(await traces()).not.toEqual([]);
      expect((await erase()).status).toBe(204);
      expect(await traces()).toEqual([]);
    });

    it('leave none that are counted during the erasure', async () => {
      const here = newNetwork();
      await guess(4, here);
      // The erasure has locked the account and waits; the failure waits for the account.
      const [erased, failed] = await inTurnBehind(
        app,
        ['SELECT 1 FROM sessions WHERE account_id = $1 FOR UPDATE', owner.id],
        erase,
        () => login('a-wrong-guess', here),
      );
      expect([erased.status, failed]).toEqual([204, 401]);
      expect(await traces()).toEqual([]);
    });
  });
});

/** Leaves out the statements that the job worker repeats every few seconds. */
function ofRequests(statements: readonly (readonly [sql: string, ...rest: unknown[]])[]): string[] {
  return statements.map(([sql]) => sql).filter((sql) => !/\bjob_runners\b/.test(sql));
}
