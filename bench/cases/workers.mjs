import { setTimeout as sleep } from 'node:timers/promises';
import { workersOf } from '../support/cpu-time.mjs';
import { populate } from '../support/people.mjs';
import { CORES } from '../support/place.mjs';
import { residentOf } from '../support/resident.mjs';

const PEOPLE = 1_000;
const CONNECTIONS = 32;
const WORKERS = 2;
/** Two for the workers, one for the database, one for the load. */
const WANTED = 4;
/** A worker returns what only its start needed after two seconds. */
const SETTLING_MS = { full: 10_000, quick: 5_000, smoke: 3_000 };

/**
 * Measures two workers behind one port against one process. On two cores they share these with
 * database and load: the rate tells nothing then, the processor time of a request does.
 */
export default async function workers(bench) {
  const where = `0-${WORKERS - 1}`;
  const one = await bench.service({}, { where });
  await populate(one.query, { people: PEOPLE });
  const several = await bench.service({ WORKERS: String(WORKERS) }, { where, databaseUrl: one.databaseUrl });
  await sleep(bench.of(SETTLING_MS));
  const own = residentOf(several.pid);
  const ofWorkers = workersOf(several.pid).map(residentOf);
  const how = { connections: CONNECTIONS, seconds: bench.seconds };
  const [putSeveral, putOne] = await Promise.all(
    [several, one].map(async (service) => {
      const tokens = await bench.tokensOf(service);
      const people = Array.from({ length: PEOPLE }, (_, person) => tokens.access(person, { inTenant: true }));
      const load = await bench.load(people.map((token) => ({ path: '/api/v1/iam/me', token })));
      const put = () => load.put(service, how);
      await bench.warm(put);
      return put;
    }),
  );
  const { perSecond, cpu } = await bench.paired(putSeveral, putOne);
  const enough = CORES >= WANTED;
  return [
    {
      name: enough ? 'two workers' : `two workers, on ${CORES} cores with database and load`,
      against: 'one process',
      unit: 'requests/s',
      ...(enough && { goal: { atLeast: 1.8 } }),
      ...perSecond,
    },
    { name: 'processor time of a request, two workers', against: 'one process', unit: 'µs', ...cpu },
    { name: 'memory of the parent of workers, idle', unit: 'MB', ours: own },
    { name: 'memory of a worker, idle', unit: 'MB', ours: Math.max(...ofWorkers) },
  ];
}
