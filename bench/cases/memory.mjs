import { setTimeout as sleep } from 'node:timers/promises';
import { populate } from '../support/people.mjs';
import { anonymousOf, residentOf } from '../support/resident.mjs';

/** Wait before the first measurement, without a request. */
const SETTLING_MS = { full: 10_000, quick: 1_000, smoke: 0 };
/** Two periods of the rate limit buckets, after which they have evicted all callers. */
const FORGETTING_MS = { full: 125_000, quick: 1_000, smoke: 0 };
/** Number of authenticated callers: more than the maximum entries of the caches. */
const SIGNED_IN = { full: 150_000, quick: 2_000, smoke: 200 };

/**
 * Measures memory, idle and after many callers, each with its own forwarded address; authenticated
 * callers come last.
 */
export default async function memory(bench) {
  const callers = Number(
    process.env.BENCH_CALLERS ?? bench.of({ full: 1_000_000, quick: 10_000, smoke: 1_000 }),
  );
  const service = await bench.service({ TRUSTED_PROXIES: '127.0.0.1' });
  await sleep(bench.of(SETTLING_MS));
  const [idle, anonymous] = [residentOf(service.pid), anonymousOf(service.pid)];
  await requestAll(bench, service, callers, bench.of(SIGNED_IN));
  const busy = residentOf(service.pid);
  await sleep(bench.of(FORGETTING_MS));
  const afterwards = residentOf(service.pid);
  const name = `memory after ${callers.toLocaleString('en')} callers`;
  return [
    { name: 'memory, idle', unit: 'MB', goal: { atMost: 120 }, ours: idle },
    { name: 'memory, idle, anonymous', unit: 'MB', goal: { atMost: 58 }, ours: anonymous },
    { name, unit: 'MB', goal: { atMost: 250 }, ours: busy },
    { name: `${name}, once they are gone`, unit: 'MB', goal: { atMost: 250 }, ours: afterwards },
  ];
}

/** Sends each request once, several at a time. */
async function requestAll(bench, service, callers, signedIn) {
  await populate(service.query, { people: signedIn });
  const tokens = await bench.tokensOf(service);
  const strangers = callers - signedIn;
  const load = await bench.load(
    Array.from({ length: callers }, (_, n) => ({
      headers: { 'X-Forwarded-For': `11.${n >> 16}.${(n >> 8) & 255}.${n & 255}` },
      ...(n < strangers
        ? { path: '/api/docs/reference.js' } // what is looked at is what is kept of who asked
        : { path: '/api/v1/iam/me', token: tokens.access(n - strangers, { inTenant: true }) }),
    })),
  );
  await load.all(service, { connections: 32 });
}
