import { populate, sqlId, TENANT_SIZE, tenantOf } from '../support/people.mjs';

const PEOPLE = 1_000;
const CONNECTIONS = 32;

/** What every second organization asks of sign-ins. */
const POLICY = {
  secondFactor: 'required',
  graceDays: 0,
  sso: 'optional',
  trustedDevices: false,
  maxAuthAgeSeconds: 43_200,
  sessionMaxHours: null,
  supportAccess: 'never',
  secondFactorSince: '2026-01-01T00:00:00.000Z',
};

/** Measures the read of an organization that has a sign-in policy, against one that has none. */
export default async function signInPolicy(bench) {
  const service = await bench.service();
  await populate(service.query, { people: PEOPLE });
  await service.query(
    `UPDATE tenants SET sign_in_policy = $1 FROM generate_series(0, ${PEOPLE / TENANT_SIZE - 1}, 2) n WHERE id = ${sqlId('T', 'n')}`,
    [JSON.stringify(POLICY)],
  );
  const tokens = await bench.tokensOf(service);
  const requestOf = (person) => ({
    method: 'GET',
    path: `/api/v1/iam/tenants/${tenantOf(person)}`,
    token: tokens.access(person, { inTenant: true, isStrong: true }),
  });
  const people = Array.from({ length: PEOPLE }, (_, person) => person);
  const hasPolicy = (person) => Math.floor(person / TENANT_SIZE) % 2 === 0;
  const withPolicy = await bench.load(people.filter(hasPolicy).map(requestOf));
  const without = await bench.load(people.filter((person) => !hasPolicy(person)).map(requestOf));
  const how = { connections: CONNECTIONS, seconds: bench.seconds };
  const putWith = () => withPolicy.put(service, how);
  const putWithout = () => without.put(service, how);
  await bench.warm(putWith);
  await bench.warm(putWithout);
  const { perSecond, cpu } = await bench.paired(putWith, putWithout);
  return [
    {
      name: 'read with a sign-in policy',
      against: 'without one',
      unit: 'requests/s',
      goal: { atLeast: 0.98 },
      ...perSecond,
      cpu,
    },
  ];
}
