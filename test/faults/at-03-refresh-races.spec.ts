import { eventually, TestApp, type Answer } from '../support/test-app.js';
import { acceptance, say } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';

const ROUNDS = inForm(20, 500);
const LANES = 5;
const ME = '/api/v1/iam/me';
const PASSWORDS = ['quiet-harbour-42', 'a-new-harbour-7'] as const;

interface Session {
  readonly accessToken: string;
  readonly refreshToken: string;
}
interface Account {
  readonly email: string;
  password: string;
}

/** Ends the session while the other replica refreshes it. */
type Ending = (session: Session, account: Account) => Promise<Pick<Answer, 'status'>>;

acceptance('at-03', 'a refresh at one replica against the end of its session at the other', [], (figures) => {
  let fleet: Fleet;
  let operator: TestApp;
  beforeAll(async () => {
    fleet = await Fleet.start({ replicas: 2, balanced: false });
    const { DATABASE_URL = '', ROOT_SECRET = '', SMTP_URL = '' } = fleet.settings;
    operator = await TestApp.start({ DATABASE_URL, ROOT_SECRET, SMTP_URL });
  }, 120_000);
  afterAll(async () => {
    await operator.stop();
    await fleet.stop();
  });

  const refresh = (replica: number, refreshToken: unknown) =>
    fleet.client(replica).post('refresh', { refreshToken });
  const end = (operation: string) => (session: Session) =>
    fleet.client(1).post(operation, undefined, { token: session.accessToken });

  const endings: [string, Ending, { readonly accountEnds?: boolean }][] = [
    ['a logout', end('logout'), {}],
    ['a logout from all devices', end('logout-all'), {}],
    [
      'a password change in another session',
      async (_, account) => {
        const other = await fleet.client(1).login(account);
        const newPassword = account.password === PASSWORDS[0] ? PASSWORDS[1] : PASSWORDS[0];
        const body = { currentPassword: account.password, newPassword };
        const changed = await fleet
          .client(1)
          .call('PUT', `${ME}/password`, body, { token: other.accessToken });
        account.password = newPassword;
        return changed;
      },
      {},
    ],
    [
      'a suspension by the operator',
      async (_, { email }) => {
        await operator.command('account:suspend', '--account', email);
        return { status: 204 };
      },
      { accountEnds: true },
    ],
    [
      'an erasure',
      ({ accessToken: token }) =>
        fleet.client(1).call('DELETE', '/api/v1/iam/auth/account', undefined, { token }),
      { accountEnds: true },
    ],
  ];

  /** Lists what the tokens still allow after both were answered. */
  async function leftovers(account: Account, ending: Ending): Promise<string[]> {
    const session = await fleet.client(0).login(account);
    const [refreshed, ended] = await Promise.all([
      refresh(0, session.refreshToken),
      ending(session, account),
    ]);
    if (ended.status !== 204) return [`ending answered ${ended.status}`];
    if (refreshed.status !== 200 && refreshed.status !== 401)
      return [`the refresh answered ${refreshed.status}`];
    const last = refreshed.status === 200 ? (refreshed.body as unknown as Session) : session;
    const found: string[] = [];
    for (const replica of [0, 1]) {
      const { status } = await refresh(replica, last.refreshToken);
      if (status !== 401) found.push(`refresh at replica ${replica} answered ${status}`);
      const dead = async () => (await fleet.client(replica).get(ME, last.accessToken)).status === 401;
      await eventually('the access token is refused', dead, 2_000).catch(() =>
        found.push(`the access token is still good at replica ${replica}`),
      );
    }
    return found;
  }

  it.each(endings)(
    '%s',
    async (what, ending, { accountEnds = false }) => {
      const found: string[] = [];
      let rounds = 0;
      const lane = async (): Promise<void> => {
        let account: Account | undefined;
        while (rounds < ROUNDS) {
          rounds += 1;
          account = accountEnds || !account ? { ...(await fleet.register()) } : account;
          found.push(...(await leftovers(account, ending)));
          if (rounds % 100 === 0) say(`${rounds} rounds`);
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      figures.note(`${what}: rounds`, rounds, '', { atLeast: ROUNDS });
      figures.none(`${what}: what was still possible afterwards`, found);
    },
    inForm(120_000, 1_800_000),
  );

  it('logs no error', () => {
    figures.none('complaints in the logs', fleet.complaints);
  });
});
