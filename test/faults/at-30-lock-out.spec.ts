import { acceptance, percentile, say } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';

const ADDRESSES = 1_000;
const GUESSES = inForm(1_500, 10_000);
const AT_ONCE = 20;
const AUTH = '/api/v1/iam/auth';
/** NIST SP 800-63B-4 section 3.2.2. */
const MOST_GUESSES = 100;

acceptance('at-30', 'thousands of wrong passwords from a thousand addresses', [], (figures) => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await Fleet.start({ replicas: 2, balanced: false, settings: { LOG_LEVEL: 'warn' } });
  });
  afterAll(() => fleet.stop());

  let turn = 0;
  const from = (address: string, path: string, body: object) =>
    fleet
      .client((turn += 1) % 2)
      .call('POST', `${AUTH}/${path}`, body, { headers: { 'x-forwarded-for': address } });
  const stranger = (n: number) => `198.51.${100 + Math.floor((n % ADDRESSES) / 250)}.${n % 250}`;

  it(
    'neither find the password nor lock its owner out',
    async () => {
      const [home, hotel] = ['203.0.113.7', '192.0.2.99'];
      const account = await fleet.register();
      const signedIn = await from(home, 'login', account);
      expect(signedIn.status).toBe(200);

      const times: number[] = [];
      const statuses = new Set<number>();
      for (let n = 0; n < GUESSES; n += AT_ONCE) {
        const guesses = Array.from({ length: AT_ONCE }, async (_, k) => {
          const began = Date.now();
          const guess = { email: account.email, password: `guess-number-${n + k}` };
          statuses.add((await from(stranger(n + k), 'login', guess)).status);
          times.push(Date.now() - began);
        });
        await Promise.all(guesses);
        if (n % 1_000 === 0) say(`${n} of ${GUESSES} guesses`);
      }
      const guessed = await from(stranger(1), 'login', account);
      const counted = await fleet.postgres.sql<{ guesses: number }>(
        'SELECT coalesce(max(failures), 0)::int AS guesses FROM login_throttles',
      );
      figures.note('guesses', times.length);
      figures.note('answers other than 401', [...statuses].filter((status) => status !== 401).length, '', {
        exactly: 0,
      });
      figures.note('p95 of them', percentile(times, 0.95), 'ms');
      figures.note('guesses that were looked at', counted[0]?.guesses ?? 0, '', { atMost: MOST_GUESSES });
      figures.note('answer to the right password, guessed at last', guessed.status, '', { exactly: 401 });

      const atHome = await from(home, 'login', account);
      const refreshed = await from(home, 'refresh', { refreshToken: signedIn.body['refreshToken'] });
      figures.note('answer to the owner at home, at the first try', atHome.status, '', { exactly: 200 });
      figures.note('answer to the owner who refreshes', refreshed.status, '', { exactly: 200 });

      await from(hotel, 'request-password-reset', { email: account.email });
      const tokens = () => fleet.mailbox.of(account.email, 'reset-password');
      for (const limit = Date.now() + 15_000; tokens().length === 0 && Date.now() < limit;)
        await new Promise((resolve) => setTimeout(resolve, 100));
      const password = 'a-new-harbour-in-peace';
      const reset = await from(hotel, 'reset-password', { token: tokens()[0], newPassword: password });
      const signIn = await from(hotel, 'login', { email: account.email, password });
      figures.note('answer to a reset from another network', reset.status, '', { exactly: 204 });
      figures.note('answer to the owner in another network, with the new password', signIn.status, '', {
        exactly: 200,
      });
      figures.none('complaints in the logs', fleet.complaints);
    },
    inForm(180_000, 900_000),
  );
});
