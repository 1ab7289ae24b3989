import { send } from '../support/load.mjs';
import { populate, tenantOf } from '../support/people.mjs';

const PEOPLE = 1_000;
/** Few connections: the case measures response time, not queueing. */
const CONNECTIONS = 4;

/** Measures permission checks of fifty scopes against checks of one. */
export default async function probe50(bench) {
  const service = await bench.service();
  await populate(service.query, { people: PEOPLE });
  const tokens = await bench.tokensOf(service);
  const scopes = await fiftyOf(service, tokens);
  const people = Array.from({ length: PEOPLE }, (_, person) => person);
  const asking = (asked) =>
    bench.load(
      people.map((person) => ({
        method: 'POST',
        path: '/api/auth/can',
        token: tokens.access(person, { inTenant: true }),
        body: { subject: `gh:///iam/tenants/${tenantOf(person)}`, scopes: asked },
      })),
    );
  const [fifty, one] = [await asking(scopes), await asking(scopes.slice(0, 1))];
  const how = { connections: CONNECTIONS, seconds: bench.seconds };
  await bench.warm(() => fifty.put(service, how));
  await bench.warm(() => one.put(service, how));
  const { p50, p99 } = await bench.paired(
    () => fifty.put(service, how),
    () => one.put(service, how),
  );
  const name = `probe of ${scopes.length} scopes`;
  return [
    { name, against: 'of one', unit: 'ms', goal: { atMost: 2.5 }, ...p50 },
    { name: `${name}, p99`, unit: 'ms', goal: { atMost: 10 }, ours: p99.ours },
  ];
}

/** The first fifty scopes of an owner. */
async function fiftyOf(service, tokens) {
  const token = tokens.access(0, { inTenant: true });
  const answer = await send(service, { path: `/api/v1/iam/tenants/${tenantOf(0)}/roles`, token });
  const { scopes } = JSON.parse(answer).items.find(({ key }) => key === 'owner');
  return scopes.slice(0, 50);
}
