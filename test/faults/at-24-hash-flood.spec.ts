import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { acceptance, percentile } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';
import { Pace } from './support/pace.js';
import { Wire, type Request } from './support/wire.js';

const LOGINS = 500;
const WAVES = inForm(1, 4);
/** Accounts of the attacker in one network, and users with one network for each login. */
const ATTACKERS = 8;
const PEOPLE = 4;
/** Concurrent requests of the attacker per account and route: more in total than may wait. */
const IN_FLIGHT = 4;
const LOGINS_EACH = inForm(10, 60);
const AUTH = '/api/v1/iam/auth';
/** A flood costs more than the control's requests, which are measured before it. */
const WORK = 10;
/** Maximum number of passwords that wait to be hashed: password-hasher.ts. */
const LONGEST_QUEUE = 64;

/** Setting of a deployment, which the replicas of the other tests leave out. */
const LIMITS = { RATE_LOGIN: '30', RATE_HASH: '30', RATE_WRITE: '100' };

acceptance('at-24', 'more passwords to hash than processors', [], (figures) => {
  let fleet: Fleet;
  let pace: Pace;
  beforeAll(async () => {
    fleet = await Fleet.start({ replicas: 1, balanced: false, settings: { BCRYPT_COST: '12' } });
    pace = await Pace.beside(fleet.postgres);
  });
  afterAll(async () => {
    await pace.stop();
    await fleet.stop();
  });

  it('hashes some of 500 concurrent logins, refuses the excess, and answers other requests in time', async () => {
    const replica = fleet.replica(0);
    const { accessToken: token } = await fleet.client().login(await fleet.register());
    const flood = new Wire({ targets: fleet.targets, timeoutMs: 30_000 });
    const others = new Wire({ targets: fleet.targets });
    const [running, waiting]: [number[], number[]] = [[], []];
    let over = false;
    const times = (since = 0) => others.samples.filter(({ at }) => at >= since).map(({ ms }) => ms);
    const watch = async (): Promise<void> => {
      for (; !over; await sleep(100)) {
        running.push(await replica.metric('gatehouse_hashing_running'));
        waiting.push(await replica.metric('gatehouse_hashing_waiting'));
      }
    };
    const visit = async (): Promise<void> => {
      for (; !over; await sleep(50))
        await others.ask({ method: 'GET', path: '/api/v1/iam/me', token, expect: [200] });
    };
    const watchers = [watch(), visit()];
    const began = Date.now();
    await sleep(3_000);
    const usual = percentile(times(), 0.95);
    const flooded = Date.now();
    for (let wave = 0; wave < WAVES; wave += 1)
      await Promise.all(
        Array.from({ length: LOGINS }, (_, n) => {
          const body = { email: `stranger-${wave}-${n}@example.com`, password: 'quiet-harbour-42' };
          return flood.ask({ method: 'POST', path: '/api/v1/iam/auth/login', body, expect: [401] });
        }),
      );
    over = true;
    await Promise.all(watchers);
    const refused = flood.samples.filter(({ outcome }) => outcome === 'unavailable');
    figures.none('broken promises', [...flood.faults, ...others.faults, ...fleet.complaints]);
    figures.note('logins', flood.samples.length);
    figures.note('of them answered 503', refused.length, '', { atLeast: LOGINS / 2 });
    figures.note('not answered at all', flood.samples.filter(({ outcome }) => outcome === 'cut').length, '', {
      exactly: 0,
    });
    figures.note('hashed at once', Math.max(...running), '', { atMost: availableParallelism() });
    figures.note('longest queue', Math.max(...waiting), '', { atMost: LONGEST_QUEUE });
    figures.note('visits of others', times(flooded).length);
    figures.note('p95 of these as usual', usual, 'ms');
    figures.note('p95 of these', percentile(times(flooded), 0.95), 'ms', {
      atMost: 200 + pace.allowance(0.95, { from: began, to: flooded }, WORK),
    });
  }, 180_000);

  it('lets users of other networks sign in while one network floods all routes that hash', async () => {
    const settings = { BCRYPT_COST: inForm('10', '12'), ...LIMITS };
    const attacked = await Fleet.start({ replicas: 1, balanced: false, settings });
    try {
      await attack(attacked);
    } finally {
      await attacked.stop();
    }
  }, 180_000);

  async function attack(attacked: Fleet): Promise<void> {
    const replica = attacked.replica(0);
    const accounts = [];
    for (let n = 0; n < ATTACKERS + PEOPLE; n += 1) accounts.push(await attacked.register());
    const mine = accounts.slice(0, ATTACKERS);
    const tokens: string[] = [];
    for (const account of mine) tokens.push((await attacked.client().login(account)).accessToken);
    const attacker = new Wire({ targets: attacked.targets, timeoutMs: 30_000 });
    const people = new Wire({ targets: attacked.targets, timeoutMs: 30_000 });
    let over = false;
    const runLane = async (next: (n: number) => Request): Promise<void> => {
      for (let n = 0; !over; n += 1) await attacker.ask(next(n));
    };
    const lanes = tokens.flatMap((token) =>
      requestsThatHash(token).flatMap((next) => Array.from({ length: IN_FLIGHT }, () => runLane(next))),
    );
    let longest = 0;
    const watcher = (async () => {
      for (; !over; await sleep(100))
        longest = Math.max(longest, await replica.metric('gatehouse_hashing_waiting'));
    })();
    await sleep(2_000);
    let networks = 0;
    await Promise.all(
      accounts.slice(ATTACKERS).map(async (body) => {
        for (let n = 0; n < LOGINS_EACH; n += 1) {
          await sleep(250);
          const headers = { 'x-forwarded-for': `203.0.113.${(networks += 1)}` };
          await people.ask({ method: 'POST', path: `${AUTH}/login`, body, headers, expect: [200] });
        }
      }),
    );
    over = true;
    await Promise.all([...lanes, watcher]);
    const signedIn = people.samples.filter(({ outcome }) => outcome === 'answered').length;
    figures.none('broken promises of the attack', [
      ...attacker.faults,
      ...people.faults,
      ...attacked.complaints,
    ]);
    figures.note('requests of the attacker', attacker.samples.length, '', { atLeast: 100 });
    figures.note('longest queue beside them', longest);
    figures.note('logins of other networks', people.samples.length);
    figures.note('of them that succeed', (signedIn / people.samples.length) * 100, '%', {
      atLeast: 95,
    });
  }
});

/** Makes the requests by which the attacker's account has passwords hashed, with its token. */
function requestsThatHash(token: string): ((n: number) => Request)[] {
  const common = { token, headers: { 'x-forwarded-for': '198.51.100.1' }, expect: [202, 400, 403, 429] };
  const password = 'quiet-harbour-42';
  return [
    (n) => {
      const body = { email: `${token.slice(-8).toLowerCase()}-${n}@example.com`, password, firstName: 'Eve' };
      return { ...common, method: 'POST', path: `${AUTH}/register`, body };
    },
    () => {
      const body = { token: 'A'.repeat(43), newPassword: password };
      return { ...common, method: 'POST', path: `${AUTH}/reset-password`, body };
    },
    () => {
      const body = { currentPassword: 'a-wrong-guess', newPassword: 'calm-harbour-43' };
      return { ...common, method: 'PUT', path: '/api/v1/iam/me/password', body };
    },
  ];
}
