import { CleanupService } from '../../src/platform/cleanup/cleanup.js';
import type { UserId } from '../../src/kernel/index.js';
import { KnownNetworkRepository } from '../../src/session/sign-in-notices/known-network.repository.js';
import { age } from '../support/ageing.js';
import { withApp } from '../support/test-app.js';

const DAY = 86_400;
const HOME = '2001:db8:1::1';
const SAME_NETWORK = '2001:db8:1::2';
const AWAY = '203.0.113.7';

describe('Known networks', () => {
  let networks: KnownNetworkRepository;
  let counter = 0;
  const app = withApp();
  beforeAll(async () => {
    networks = app.app.get(KnownNetworkRepository, { strict: false });
  });

  async function newAccount(): Promise<UserId> {
    const id = `account-${(counter += 1)}` as UserId;
    await app.sql('INSERT INTO accounts (id, email, email_key) VALUES ($1, $1, $1)', [id]);
    return id;
  }
  /** Days until the networks of an account are forgotten, rounded up; null for never. */
  const daysOf = async (userId: UserId) =>
    (
      await app.sql<{ days: number | null }>(
        `SELECT CASE WHEN expires_at <> 'infinity' THEN ceil(extract(epoch FROM expires_at - now()) / 86400)::int END AS days
         FROM known_networks WHERE account_id = $1 ORDER BY expires_at`,
        [userId],
      )
    ).map(({ days }) => days);
  const grow = (userId: UserId, days: number) =>
    age(app, 'known_networks', days * DAY, "account_id = $1 AND expires_at <> 'infinity'", [userId]);

  it('are those of earlier sign-ins to the account', async () => {
    const [ada, grace] = [await newAccount(), await newAccount()];
    expect(await networks.note(ada, HOME)).toEqual({ signedInBefore: false, known: false });
    expect(await networks.note(ada, SAME_NETWORK)).toEqual({ signedInBefore: true, known: true });
    expect(await networks.note(ada, AWAY)).toEqual({ signedInBefore: true, known: false });
    expect(await networks.note(ada, HOME)).toEqual({ signedInBefore: true, known: true });
    expect(await networks.note(grace, HOME)).toEqual({ signedInBefore: false, known: false });
    expect(await daysOf(ada)).toEqual([90, 90, null]);
  });

  it('are kept for ninety days after the last sign-in, written once a day', async () => {
    const ada = await newAccount();
    await networks.note(ada, HOME);
    const written = async () =>
      (
        await app.sql<{ row: string }>(
          'SELECT xmin::text || expires_at AS row FROM known_networks WHERE account_id = $1 ORDER BY expires_at',
          [ada],
        )
      ).map(({ row }) => row);
    const first = await written();
    await networks.note(ada, HOME);
    expect(await written()).toEqual(first);
    await grow(ada, 0.9);
    const grown = await written();
    await networks.note(ada, HOME);
    expect(await written()).toEqual(grown);
    await grow(ada, 1);
    expect(await daysOf(ada)).toEqual([89, null]);
    await networks.note(ada, HOME);
    expect(await daysOf(ada)).toEqual([90, null]);
    expect((await written())[1]).toBe(first[1]);
  });

  it('are removed once they have expired, but for the mark of the first sign-in', async () => {
    const [ada, grace] = [await newAccount(), await newAccount()];
    for (const userId of [ada, grace]) await networks.note(userId, HOME);
    await grow(ada, 91);
    await app.app.get(CleanupService, { strict: false }).run();
    expect(await daysOf(ada)).toEqual([null]);
    expect(await daysOf(grace)).toEqual([90, null]);
    expect(await networks.note(ada, HOME)).toEqual({ signedInBefore: true, known: false });
  });

  it('go with their account', async () => {
    const [ada, grace] = [await newAccount(), await newAccount()];
    for (const userId of [ada, grace]) await networks.note(userId, HOME);
    await networks.deleteAllOf(ada);
    expect([await daysOf(ada), await daysOf(grace)]).toEqual([[], [90, null]]);
  });

  it('name no address', async () => {
    const ada = await newAccount();
    await networks.note(ada, AWAY);
    const rows = await app.sql<{ text: string }>(
      "SELECT n::text || encode(network_key, 'escape') AS text FROM known_networks n WHERE account_id = $1",
      [ada],
    );
    expect(rows).toHaveLength(2);
    for (const { text } of rows) expect(text).not.toContain(AWAY);
  });
});
