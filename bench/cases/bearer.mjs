import { send } from '../support/load.mjs';
import { populate } from '../support/people.mjs';

const PEOPLE = 1_000;
const CONNECTIONS = 32;

/**
 * Measures `GET /me` and a permission check of one scope against a route of an empty Nest
 * application.
 */
export default async function bearer(bench) {
  const service = await bench.service();
  await populate(service.query, { people: PEOPLE });
  const tokens = await bench.tokensOf(service);
  const accessTokens = Array.from({ length: PEOPLE }, (_, person) =>
    tokens.access(person, { inTenant: true }),
  );
  const body = { scopes: ['iam:invitation:create'] };
  const routes = [
    { name: 'bearer-authenticated read', method: 'GET', path: '/api/v1/iam/me' },
    { name: 'probe of one scope', method: 'POST', path: '/api/auth/can', body },
  ];
  const rows = [];
  for (const { name, ...route } of routes) {
    const ours = await bench.load(accessTokens.map((token) => ({ ...route, token })));
    const answer = await send(service, { ...route, token: accessTokens[0] });
    const theirs = await bench.load([{ ...route, path: '/empty', token: accessTokens[0] }]);
    const peer = await bench.peer('empty-nest', { ANSWER: answer }, '/empty');
    const how = { connections: CONNECTIONS, seconds: bench.seconds };
    const putOurs = () => ours.put(service, how);
    const putTheirs = () => theirs.put(peer, how);
    await bench.warm(putOurs);
    await bench.warm(putTheirs);
    const { perSecond, cpu } = await bench.paired(putOurs, putTheirs);
    rows.push({
      name,
      against: 'an empty Nest route',
      unit: 'requests/s',
      goal: { atLeast: 0.5 },
      ...perSecond,
      cpu,
    });
  }
  return rows;
}
