import { besideSql } from '../support/beside-sql.mjs';
import { populate } from '../support/people.mjs';
import { MAX_WARMING } from '../support/warm.mjs';

const GRANTS = 1_000;
const GENERATIONS = 40;

/** Measures refreshes, with the tokens of each grant in order. */
export default async function refresh(bench) {
  const service = await bench.service();
  const loads = MAX_WARMING + bench.rounds;
  await populate(service.query, { people: (loads + 1) * GRANTS });
  const statements = await bench.statementsOf(service, (tokens, turn) => [
    requestOf(tokens, loads * GRANTS + turn),
  ]);
  const pgbench = await bench.pgbench(service, statements, {
    own: true,
    defined: { generation: 1 },
    edit: (line) => line.replace(/generation = E'1'(.*);$/, 'generation = :generation$1 \\gset'),
  });
  const tokens = await bench.tokensOf(service);
  let used = 0;
  const ours = async (how) => {
    const load = await bench.load(requestsOf(tokens, used));
    used += GRANTS;
    const found = await load.put(service, how);
    return { ...found, perCore: 1e6 / found.cpu };
  };
  const { perSecond, perCore } = await besideSql(bench, ours, {
    async run(how) {
      await service.query('UPDATE grants SET generation = 1');
      await service.query('VACUUM grants');
      return { ...(await pgbench.run(how)), perCore: NaN };
    },
  });
  return [
    {
      name: 'refresh',
      against: 'its SQL by pgbench',
      unit: 'transactions/s',
      goal: { atLeast: 0.6 },
      ...perSecond,
    },
    { name: 'refresh, per core of the service', unit: '/s', goal: { atLeast: 600 }, ours: perCore.ours },
  ];
}

const requestOf = (tokens, session, generation = 1) => ({
  method: 'POST',
  path: '/api/v1/iam/auth/refresh',
  body: { refreshToken: tokens.refresh(session, generation) },
});

/**
 * First tokens of all grants, then second ones, so that a token is issued long before it is
 * presented.
 */
function requestsOf(tokens, first) {
  return Array.from({ length: GRANTS * GENERATIONS }, (_, n) =>
    requestOf(tokens, first + (n % GRANTS), 1 + Math.floor(n / GRANTS)),
  );
}
