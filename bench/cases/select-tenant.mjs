import { populate, tenantOf } from '../support/people.mjs';
import { besideSql } from '../support/beside-sql.mjs';

const PEOPLE = 1_000;

/** Measures the selection of an organization by members of several. */
export default async function selectTenant(bench) {
  const service = await bench.service();
  await populate(service.query, { people: PEOPLE });
  const requestOf = (tokens, person) => ({
    method: 'POST',
    path: '/api/v1/iam/auth/select-tenant',
    token: tokens.access(person),
    body: { tenantId: tenantOf(person) },
  });
  const statements = await bench.statementsOf(service, (tokens) => [requestOf(tokens, 0)]);
  const tokens = await bench.tokensOf(service);
  const load = await bench.load(Array.from({ length: PEOPLE }, (_, person) => requestOf(tokens, person)));
  const pgbench = await bench.pgbench(service, statements, { people: PEOPLE });
  const { perSecond } = await besideSql(bench, (how) => load.put(service, how), pgbench);
  return [
    {
      name: 'select tenant',
      against: 'its SQL by pgbench',
      unit: '/s',
      goal: { atLeast: 0.6 },
      ...perSecond,
    },
  ];
}
