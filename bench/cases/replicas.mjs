import { populate } from '../support/people.mjs';
import { CORES } from '../support/place.mjs';

const PEOPLE = 1_000;
const CONNECTIONS = 32;
const WANTED = 4;

/**
 * Measures two replicas on one core each against one replica on one core. They share only the
 * database.
 */
export default async function replicas(bench) {
  const row = { name: 'two replicas', against: 'one', unit: 'requests/s', goal: { atLeast: 1.8 } };
  if (CORES < WANTED) {
    const left = `not measured: two replicas, their database and the load want ${WANTED} cores, and here are ${CORES}`;
    return [{ ...row, left }];
  }
  const first = await bench.service();
  await populate(first.query, { people: PEOPLE });
  const second = await bench.service({}, { where: '1', databaseUrl: first.databaseUrl });
  const how = { connections: CONNECTIONS, seconds: bench.seconds };
  const puts = [];
  for (const service of [first, second]) {
    const tokens = await bench.tokensOf(service);
    const people = Array.from({ length: PEOPLE }, (_, person) => tokens.access(person, { inTenant: true }));
    const load = await bench.load(people.map((token) => ({ path: '/api/v1/iam/me', token })));
    const put = () => load.put(service, how);
    await bench.warm(put);
    puts.push(put);
  }
  const { perSecond } = await bench.paired(async () => {
    const [a, b] = await Promise.all(puts.map((put) => put()));
    return { perSecond: a.perSecond + b.perSecond };
  }, puts[0]);
  return [{ ...row, ...perSecond }];
}
