import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/built-service.js';
import { SamlStandIn } from '../lab/saml-stand-in.js';
import { clockOff } from '../support/clocks.js';
import { ExternalVisitor } from '../support/external.js';
import { pkce, TestSatellite } from '../support/satellite.js';
import { eventually, type Answer } from '../support/test-app.js';
import { acceptance, say } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';
import { Ledger } from './support/ledger.js';
import { Replica } from './support/replica.js';

const SECONDS = inForm(8, 120);
const FLOWS = inForm(3, 20);
const IAM = '/api/v1/iam';
const PROGRAMS = ['faketime'];

acceptance('at-20', 'a replica whose clock is wrong', PROGRAMS, (figures) => {
  const lab = new SamlStandIn();
  let fleet: Fleet;
  let satellite: Awaited<ReturnType<Fleet['registerSatellite']>>;
  const others = new Map<number, Replica>();
  beforeAll(async () => {
    fleet = await Fleet.start({ replicas: 1, balanced: false, settings: lab.settings });
    satellite = await fleet.registerSatellite('forum');
    for (const seconds of [30, -30, 300, -300]) {
      const port = String(await freePort());
      others.set(seconds, await Replica.start({ ...fleet.settings, ...clockOff(seconds), PORT: port }));
    }
  }, 180_000);
  afterAll(async () => {
    await Promise.all([...others.values()].map((replica) => replica.stop()));
    await fleet.stop();
  });

  const off = (seconds: number): Replica => others.get(seconds) as Replica;
  const right = () => fleet.replica(0);
  const saml = ({ client }: Replica) => new ExternalVisitor(client, 'saml');
  const forum = ({ client }: Replica) =>
    new TestSatellite(client, satellite.clientId, satellite.clientSecret, satellite.redirectUri);
  const mailed = async (
    email: string,
    link: 'reset-password' | 'verify-email' | 'accept-invitation',
  ): Promise<string> => {
    const { length: before } = fleet.mailbox.of(email, link);
    await eventually(
      `a mail to ${email} arrives`,
      () => fleet.mailbox.of(email, link).length > before,
      20_000,
    );
    return fleet.mailbox.of(email, link).at(-1) ?? '';
  };

  it.each([30, -30])(
    'works beside a replica with the right clock, off by %i s',
    async (seconds) => {
      const ledger = await Ledger.open(fleet, { rate: 20, targets: [right().url, off(seconds).url] });
      const began = Date.now();
      await sleep(SECONDS * 1_000);
      const requests = ledger.since(began);
      const unanswered = requests.filter(({ outcome }) => outcome !== 'answered');
      figures.none(`${seconds} s: broken promises`, await ledger.check());
      figures.note(`${seconds} s: requests, half of them to it`, requests.length, '', { atLeast: SECONDS });
      figures.note(`${seconds} s: not answered`, unanswered.length, '', { exactly: 0 });
      figures.note(`${seconds} s: sign-outs of honest clients`, ledger.signedOut, '', { exactly: 0 });
      figures.none(`${seconds} s: complaints in its log`, off(seconds).complaints);
    },
    inForm(180_000, 600_000),
  );

  it(
    'completes external sign-ins, off by half a minute',
    async () => {
      let signedIn = 0;
      for (let n = 0; n < FLOWS; n += 1)
        for (const seconds of [30, -30])
          for (const [here, there] of [
            [right(), off(seconds)],
            [off(seconds), right()],
          ] as const) {
            const started = await saml(here).start();
            const landing = await saml(there).post(
              lab.answer(String(started.body['authorizationUrl']), 'traveller'),
            );
            if ('access_token' in landing.fragment) signedIn += 1;
          }
      figures.note('±30 s: sign-ins by SAML, begun at one and answered at the other', signedIn, '', {
        exactly: 4 * FLOWS,
      });
    },
    inForm(180_000, 600_000),
  );

  it.each([300, -300])(
    'answers documented errors only, off by %i s',
    async (seconds) => {
      const account = await fleet.register();
      const replicas = [right(), off(seconds)];
      const answers: Answer[] = [];
      const note = (answer: Answer): Answer => {
        answers.push(answer); // the client has held it against the document
        return answer;
      };
      let mended = 0;
      for (const here of replicas)
        for (const there of replicas) {
          const login = note(await here.client.post('login', account));
          const token = String(login.body['accessToken']);
          note(await there.client.get(`${IAM}/me`, token));
          note(await there.client.call('POST', '/api/auth/can', { scopes: ['iam:tenant:read'] }, { token }));
          note(await there.client.call('POST', `${IAM}/tenants`, { name: 'Lovelace' }, { token }));
          // The session continues, whatever the access token's fate: the database decides by its
          // own clock.
          const refreshed = note(
            await there.client.post('refresh', { refreshToken: login.body['refreshToken'] }),
          );
          const me = note(await there.client.get(`${IAM}/me`, String(refreshed.body['accessToken'])));
          if (refreshed.status === 200 && me.status === 200) mended += 1;
          note(
            await there.client.post('logout', undefined, { token: String(refreshed.body['accessToken']) }),
          );
          const { body } = note(await saml(here).start());
          const landing = await saml(there).post(lab.answer(String(body['authorizationUrl']), 'traveller'));
          figures.note(`${seconds} s: answer to an external sign-in`, landing.status, '', { atMost: 499 });
        }
      const statuses = [...new Set(answers.map(({ status }) => status))].toSorted();
      say(`${seconds} s: ${statuses.join(', ')}`);
      const odd = answers.filter(({ status }) => status >= 400 && status !== 401);
      figures.none(
        `${seconds} s: errors other than 401`,
        odd.map(({ status, body }) => `${status} ${body['type']}`),
      );
      figures.note(`${seconds} s: refreshes that mended it`, mended, '', { exactly: replicas.length ** 2 });
    },
    120_000,
  );

  /**
   * What expires: the column of its time, and how a client obtains and presents it.
   * @returns what presenting it once gives
   */
  const perishable: [string, string, (at: Replica) => Promise<() => Promise<Answer>>, number][] = [
    [
      'a satellite code',
      'UPDATE one_time_codes SET expires_at',
      async (at) => {
        const { accessToken } = await at.client.login(await fleet.register());
        const { codeVerifier, codeChallenge } = pkce();
        const { body } = await forum(at).issue(accessToken, codeChallenge);
        return () => forum(at).exchange(body['code'], codeVerifier);
      },
      200,
    ],
    [
      'a code of an external sign-in',
      'UPDATE one_time_codes SET expires_at',
      async (at) => {
        const { codeVerifier, codeChallenge } = pkce();
        const { body } = await saml(right()).start({ codeChallenge });
        const landing = await saml(right()).post(lab.answer(String(body['authorizationUrl']), 'traveller'));
        const code = landing.fragment['code'];
        return () => at.client.call('POST', `${IAM}/auth/external/token`, { code, codeVerifier });
      },
      200,
    ],
    [
      'a link to reset a password',
      'UPDATE password_resets SET expires_at',
      async (at) => {
        const { email } = await fleet.register();
        await at.client.post('request-password-reset', { email });
        const token = await mailed(email, 'reset-password');
        return () => at.client.post('reset-password', { token, newPassword: 'a-new-harbour-7' });
      },
      204,
    ],
    [
      'a link to verify an address',
      'UPDATE pending_registrations SET expires_at',
      async (at) => {
        const email = `clock-${await freePort()}-${Date.now()}@example.com`;
        await at.client.post('register', { email, password: 'quiet-harbour-42', firstName: 'Ada' });
        const token = await mailed(email, 'verify-email');
        return () => at.client.post('verify-email', { token });
      },
      204,
    ],
    [
      'an invitation',
      'UPDATE invitations SET expires_at',
      async (at) => {
        const [owner, guest] = [await at.client.login(await fleet.register()), await fleet.register()];
        const { body: tenant } = await at.client.call(
          'POST',
          `${IAM}/tenants`,
          { name: 'Lovelace' },
          { token: owner.accessToken },
        );
        const selected = await at.client.post(
          'select-tenant',
          { tenantId: tenant['id'] },
          { token: owner.accessToken },
        );
        const body = { email: guest.email, roles: ['member'] };
        await at.client.call('POST', `${IAM}/tenants/${tenant['id']}/invitations`, body, {
          token: String(selected.body['accessToken']),
        });
        const token = await mailed(guest.email, 'accept-invitation');
        const { accessToken } = await at.client.login(guest);
        return () => at.client.post('accept-invitation', { token }, { token: accessToken });
      },
      200,
    ],
    [
      'a refresh token',
      'UPDATE grants SET idle_expires_at',
      async (at) => {
        const { refreshToken } = await right().client.login(await fleet.register());
        return () => at.client.post('refresh', { refreshToken });
      },
      200,
    ],
    [
      'a session',
      'UPDATE sessions SET expires_at',
      async (at) => {
        const { accessToken } = await at.client.login(await fleet.register());
        return () => at.client.get(`${IAM}/me`, accessToken);
      },
      200,
    ],
  ];

  it.each([300, -300])(
    'expires rows by the clock of the database, its own off by %i s',
    async (seconds) => {
      for (const [what, update, make, good] of perishable) {
        const [fresh, late] = [await make(off(seconds)), await make(off(seconds))];
        const early = await fresh();
        await fleet.postgres.sql(`${update} = now() - interval '1 second'`);
        const expired = await late();
        figures.note(`${seconds} s: ${what} that is good, answered with`, early.status, '', {
          exactly: good,
        });
        figures.note(`${seconds} s: ${what} that has expired, refused with`, expired.status, '', {
          atLeast: 400,
        });
        figures.note(`${seconds} s: ${what} that has expired, no fault`, expired.status, '', { atMost: 499 });
      }
      figures.none(`${seconds} s: complaints in the logs`, off(seconds).complaints);
    },
    180_000,
  );
});
