import { setTimeout as sleep } from 'node:timers/promises';
import type { Program } from '../support/program.js';
import { startRedis } from '../support/redis.js';
import { eventually } from '../support/test-app.js';
import { acceptance, say } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { Pace } from './support/pace.js';

const LIMIT = 20;
const ME = '/api/v1/iam/me';
/**
 * Maximum time of a request counted by one replica alone, and of the one that notices the fault.
 */
const NORMAL_MS = 2_000;
/** Time within which the other replica refuses an ended session. */
const HEARD_MS = 1_000;

type Account = { email: string; password: string };

let callers = 0;
const newcomer = () => `198.51.100.${(callers += 1)}`;

acceptance('at-16', 'Redis killed, hung, or absent at the start', ['redis-server'], (figures) => {
  let redis: Program;
  let fleet: Fleet;
  let pace: Pace;
  let account: Account;
  beforeAll(async () => {
    redis = await startRedis();
    const settings = { REDIS_URL: `redis://127.0.0.1:${redis.port}`, RATE_READ: String(LIMIT) };
    fleet = await Fleet.start({ replicas: 2, balanced: false, settings });
    account = await fleet.register();
    pace = await Pace.beside(fleet.postgres);
  }, 120_000);
  afterAll(async () => {
    await pace.stop();
    await fleet.stop();
    await redis.stop();
  });

  const sharing = async (n: number) => (await fleet.client(n).get('/readyz')).body['rateLimits'];
  const all = async (word: string) => (await Promise.all([0, 1].map(sharing))).every((is) => is === word);

  /** Returns how many of `count` requests pass, spread over both replicas. */
  async function passing(count: number, from: string): Promise<number> {
    const asked = Array.from({ length: count }, (_, n) =>
      fetch(`${fleet.replica(n % 2).url}${ME}`, { headers: { 'x-forwarded-for': from } }),
    );
    return (await Promise.all(asked)).filter(({ status }) => status !== 429).length;
  }

  /**
   * Logs in, refreshes and logs out.
   * @returns the longest request, and the time until the other replica refused the session
   */
  async function live(): Promise<{
    readonly longest: number;
    readonly heard: number;
    readonly well: boolean;
  }> {
    const times: number[] = [];
    const timed = async <T>(work: Promise<T>): Promise<T> => {
      const began = performance.now();
      const result = await work;
      times.push(performance.now() - began);
      return result;
    };
    const [here, there] = [fleet.client(0), fleet.client(1)];
    const { accessToken: token, refreshToken } = await timed(here.login(account));
    const refreshed = await timed(there.post('refresh', { refreshToken }));
    const seen = await timed(there.get(ME, token));
    const ended = await timed(here.post('logout', undefined, { token }));
    const began = performance.now();
    await eventually(
      'the other replica refuses the session',
      async () => (await there.get(ME, token)).status === 401,
      6_000,
    );
    return {
      longest: Math.max(...times),
      heard: performance.now() - began,
      well: refreshed.status === 200 && seen.status === 200 && ended.status === 204,
    };
  }

  it.each([
    ['killed', () => redis.kill(), () => redis.restart()],
    ['hung', async () => redis.pause(), async () => redis.resume()],
  ])(
    'goes on while Redis is %s, with no more than the limit from each replica',
    async (how, breakIt, mendIt) => {
      const from = newcomer();
      const began = performance.now();
      const before = await passing(LIMIT / 2, from);
      await breakIt();
      const during = await passing(6 * LIMIT, from);
      const worked = await live();
      const allowance = pace.allowance(1, { from: Date.now() - 2_000 });
      figures.note(`${how}: both replicas say that they count alone`, Number(await all('fallback')), '', {
        exactly: 1,
      });
      await mendIt();
      const mended = performance.now();
      await eventually('Redis is asked again', () => all('shared'), 10_000);
      const back = performance.now() - mended;
      const afterwards = await passing(6 * LIMIT, from);
      const earned = 2 * Math.ceil((performance.now() - began) / (60_000 / LIMIT));
      const passed = before + during + afterwards;
      figures.note(`${how}: passed beyond twice the limit and the refill`, passed - 2 * LIMIT - earned, '', {
        atMost: 0,
      });
      figures.note(`${how}: passed during the fault`, during, '', { atLeast: LIMIT });
      figures.note(`${how}: login, refresh, logout worked`, Number(worked.well), '', { exactly: 1 });
      figures.note(`${how}: the longest of them`, worked.longest, 'ms', {
        atMost: NORMAL_MS + allowance,
      });
      figures.note(`${how}: session refused at the other replica within`, worked.heard, 'ms', {
        atMost: HEARD_MS + allowance,
      });
      figures.note(`${how}: asked again within`, back, 'ms', { atMost: 5_000 });
      await sleep(1_000);
      figures.note(`${how}: exact again`, (await passing(6 * LIMIT, newcomer())) - LIMIT, 'more', {
        atMost: 3,
      });
    },
    120_000,
  );

  it('starts without Redis, and shares the limits when Redis starts', async () => {
    await redis.kill();
    const replicas = [fleet.replica(0), fleet.replica(1)];
    await Promise.all(replicas.map((replica) => replica.terminate()));
    await Promise.all(replicas.map((replica) => replica.restart()));
    say('both replicas are ready without Redis');
    const from = newcomer();
    const passed = await passing(6 * LIMIT, from);
    figures.note('absent: passed', passed, '', { atLeast: 2 * LIMIT });
    figures.note('absent: login, refresh, logout worked', Number((await live()).well), '', { exactly: 1 });
    await redis.restart();
    const began = performance.now();
    await eventually('Redis is asked', () => all('shared'), 10_000);
    figures.note('absent: asked within', performance.now() - began, 'ms', { atMost: 5_000 });
    figures.none('complaints in the logs', fleet.complaints);
  }, 120_000);
});
