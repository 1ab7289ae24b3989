import { setTimeout as sleep } from 'node:timers/promises';
import type { Program } from '../support/program.js';
import { startRedis } from '../support/redis.js';
import { acceptance, type Figures } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';

const LOGINS = 10;
const READS = 100;
const ROUNDS = inForm(2, 10);

let callers = 0;
/** Returns an address that has not sent a request yet. */
const newcomer = () => `198.51.${((callers += 1) >> 8) & 255}.${callers & 255}`;

interface Flood {
  readonly statuses: readonly number[];
  readonly allowed: number;
  /** Maximum number of tokens refilled during the requests. */
  readonly refilled: number;
  /** Seconds to wait, from the last refusal's Retry-After. */
  readonly retryAfter: number;
}

/** Sends concurrent requests of one caller, spread over the replicas. */
async function flood(count: number, limit: number, ask: (n: number) => Promise<Response>): Promise<Flood> {
  const began = performance.now();
  const answers = await Promise.all(Array.from({ length: count }, (_, n) => ask(n)));
  const refilled = Math.ceil((performance.now() - began) / (60_000 / limit));
  await Promise.all(answers.map((answer) => answer.text()));
  const refused = answers.filter(({ status }) => status === 429);
  return {
    statuses: answers.map(({ status }) => status),
    allowed: count - refused.length,
    refilled,
    retryAfter: Number(refused.at(-1)?.headers.get('retry-after')),
  };
}

function judge(figures: Figures, what: string, floods: readonly Flood[], limit: number): void {
  const most = (of: (one: Flood) => number) => Math.max(...floods.map(of));
  const answers = (status: number) => most(({ statuses }) => statuses.filter((one) => one === status).length);
  figures.note(`${what}: allowed, at the least`, -most(({ allowed }) => -allowed), '', { atLeast: limit });
  figures.note(
    `${what}: beyond the size and the refill`,
    most(({ allowed, refilled }) => allowed - limit - refilled),
    '',
    { atMost: 0 },
  );
  figures.note(`${what}: answers of 500`, answers(500), '', { exactly: 0 });
  figures.note(`${what}: answers of 503, at the most`, answers(503));
}

acceptance('at-09', 'one bucket for all replicas', ['haproxy', 'redis-server'], (figures) => {
  let redis: Program;
  let fleet: Fleet;
  beforeAll(async () => {
    redis = await startRedis();
    const settings = {
      REDIS_URL: `redis://127.0.0.1:${redis.port}`,
      RATE_LOGIN: String(LOGINS),
      RATE_READ: String(READS),
    };
    fleet = await Fleet.start({ replicas: 3, settings });
  }, 120_000);
  afterAll(async () => {
    await fleet.stop();
    await redis.stop();
  });

  const replica = (n: number) => fleet.replica(n % fleet.replicas.length).url;
  const balancer = () => fleet.targets[0] ?? '';
  const login = (base: string, from: string) =>
    fetch(`${base}/api/v1/iam/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify({ email: 'unknown@example.com', password: 'a-wrong-harbour-9' }),
    });
  const read = (base: string, from: string, token?: string) =>
    fetch(`${base}/api/v1/iam/me`, {
      headers: { 'x-forwarded-for': from, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    });

  it('admits as many of 200 concurrent logins as the bucket holds, and the next after Retry-After', async () => {
    const floods: Flood[] = [];
    let refusedAfterwards = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const from = newcomer();
      const result = await flood(200, LOGINS, (n) => login(replica(n), from));
      floods.push(result);
      await sleep(result.retryAfter * 1_000);
      if ((await login(replica(round), from)).status === 429) refusedAfterwards += 1;
    }
    judge(figures, `200 logins of ${LOGINS}`, floods, LOGINS);
    figures.note('refused after the seconds of Retry-After', refusedAfterwards, '', { exactly: 0 });
  }, 300_000);

  it('admits exactly as many of 1,000 concurrent requests as the bucket holds', async () => {
    const floods: Flood[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const from = newcomer();
      floods.push(await flood(1_000, READS, (n) => read(replica(n), from)));
    }
    judge(figures, `1,000 reads of ${READS} from one address`, floods, READS);
  }, 300_000);

  it('does so behind the load balancer, and for one identity at many addresses', async () => {
    const { accessToken } = await fleet.client().login(await fleet.register());
    const result = await flood(1_000, READS, () => read(balancer(), newcomer(), accessToken));
    judge(figures, `1,000 reads of ${READS} with one token`, [result], READS);
    const from = newcomer();
    const logins = await flood(200, LOGINS, () => login(balancer(), from));
    judge(figures, `200 logins of ${LOGINS} by way of HAProxy`, [logins], LOGINS);
  }, 120_000);

  it('counted in Redis throughout', async () => {
    const alone = fleet.replicas.map((one) => one.metric('gatehouse_rate_limit_fallbacks_total'));
    figures.note('requests counted by a replica alone', Math.max(...(await Promise.all(alone))), '', {
      exactly: 0,
    });
    figures.none('complaints in the logs', fleet.complaints);
  });
});
