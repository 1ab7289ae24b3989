import { bcryptAlone, storedPassword } from '../support/passwords.mjs';
import { batch } from '../support/batch.mjs';
import { send } from '../support/load.mjs';
import { populate } from '../support/people.mjs';
import { CORES, PLACE } from '../support/place.mjs';
import { loginOf } from './login.mjs';

const PEOPLE = 1_000;
/** Concurrent logins: enough that a password always waits, few enough that none is answered 503. */
const LOGINS_AT_ONCE = 3 * CORES;
/** Paced permission checks: the case measures response time, not rate. */
const PROBES = { connections: 8, paceMs: 20 };

/**
 * Measures permission checks while logins saturate hashing, against the same without logins. The
 * service has all cores, and hashes on all.
 */
export default async function storm(bench) {
  const service = await bench.service({}, { where: PLACE.all });
  await populate(service.query, { people: PEOPLE, passwordHash: await storedPassword(service) });
  const tokens = await bench.tokensOf(service);
  const probes = await bench.load(
    Array.from({ length: PEOPLE }, (_, person) => ({
      method: 'POST',
      path: '/api/auth/can',
      token: tokens.access(person, { inTenant: true }),
      body: { scopes: ['iam:invitation:create'] },
    })),
  );
  const how = { ...PROBES, seconds: bench.seconds };
  await bench.warm(() => probes.put(service, { connections: PROBES.connections, seconds: bench.seconds }));
  const hashes = await bcryptAlone(bench.of({ full: 32, quick: 8, smoke: 2 }), PLACE.all);
  const rates = [];
  const { p99 } = await bench.paired(
    async () => {
      const storm = stormOf(service);
      try {
        return await probes.put(service, how);
      } finally {
        rates.push(await storm.stop());
      }
    },
    () => probes.put(service, how),
  );
  const logins = rates.toSorted((a, b) => a - b)[Math.floor(rates.length / 2)];
  const share = Math.round((100 * logins) / hashes.perSecond);
  return [
    {
      name: `probe p99 in a login storm (${share} % of bcrypt alone)`,
      against: 'idle',
      unit: 'ms',
      goal: { atMost: 3 },
      ...p99,
    },
  ];
}

/** Sends logins without a pause until stopped; resolves to logins per second after the last. */
function stormOf(service) {
  let goes = true;
  let done = 0;
  const started = performance.now();
  const over = batch(LOGINS_AT_ONCE, LOGINS_AT_ONCE, async (worker) => {
    for (let person = worker; goes; person = (person + LOGINS_AT_ONCE) % PEOPLE, done += 1)
      await send(service, loginOf(person));
  });
  return {
    async stop() {
      goes = false;
      await over;
      return (done * 1000) / (performance.now() - started);
    },
  };
}
