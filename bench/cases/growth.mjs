import { storedPassword } from '../support/passwords.mjs';
import { idOf, populate, tenantOf } from '../support/people.mjs';
import { readWhole } from '../support/plans.mjs';
import { loginOf } from './login.mjs';

const SMALL = 1_000;
/** People from which on the planner must choose the index by itself. */
const LARGE = 100_000;
const SESSIONS_EACH = 10;
/** People that the requests use, spread over the tables. */
const SAMPLE = 1_000;
const GENERATIONS = 30;
/** Few connections: the case measures response time. */
const CONNECTIONS = 2;

/**
 * Measures frequent requests with small and with large tables. Every statement must use an index.
 */
export default async function growth(bench) {
  const people = Number(process.env.BENCH_PEOPLE ?? bench.of({ full: LARGE, quick: 10_000, smoke: 2_000 }));
  const small = await side(bench, SMALL);
  const large = await side(bench, people);
  const [many, few] = [people, SMALL].map((size) => size.toLocaleString('en'));
  const rows = [];
  for (const kind of ['refresh', 'login lookup', 'probe']) {
    await bench.warm(large[kind]);
    await bench.warm(small[kind]);
    const { p50 } = await bench.paired(large[kind], small[kind]);
    rows.push({
      name: `${kind} with ${many} people`,
      against: `with ${few}`,
      unit: 'ms',
      goal: { atMost: 1.15 },
      ...p50,
    });
  }
  return rows;
}

/** Starts a service on a database of a size, and returns its loads. */
async function side(bench, people) {
  const service = await bench.service();
  const passwordHash = await storedPassword(service);
  await populate(service.query, { people, sessions: people * SESSIONS_EACH, passwordHash });
  const statements = await bench.statementsOf(service, (tokens, turn) => [
    loginOf(turn),
    refreshOf(tokens, turn),
    probeOf(tokens, turn),
  ]);
  // A worker that joins a few hundred organizations rightly reads them whole.
  await service.query(`SET enable_seqscan = ${people < LARGE ? 'off' : 'on'}`);
  const whole = await readWhole(service.query, statements);
  await service.query('RESET enable_seqscan');
  if (whole.length > 0) throw new Error(`Read from end to end: ${whole.join(', ')}.`);
  const lookups = await bench.pgbench(service, lookupsOf(statements), { people });
  const tokens = await bench.tokensOf(service);
  const step = Math.max(1, Math.floor(people / SAMPLE));
  const sample = Array.from({ length: SAMPLE }, (_, n) => (n * step) % people);
  const probes = await bench.load(sample.map((person) => probeOf(tokens, person)));
  const how = { connections: CONNECTIONS, seconds: bench.seconds };
  return {
    async refresh() {
      const ids = sample.map((person) => idOf('G', person));
      await service.query('UPDATE grants SET generation = 1 WHERE id = ANY($1)', [ids]);
      const requests = Array.from({ length: SAMPLE * GENERATIONS }, (_, n) =>
        refreshOf(tokens, sample[n % SAMPLE], 1 + Math.floor(n / SAMPLE)),
      );
      return (await bench.load(requests)).put(service, how);
    },
    async 'login lookup'() {
      const { perSecond } = await lookups.run(how);
      return { p50: (CONNECTIONS * 1000) / perSecond, cpu: 1 };
    },
    probe: () => probes.put(service, how),
  };
}

/**
 * Statements of a login before the hash, which would hide their time. Uses the mean, as pgbench
 * reports no p50.
 */
const lookupsOf = (statements) =>
  statements
    .slice(
      0,
      statements.findIndex(({ sql }) => /transaction/i.test(sql)),
    )
    .filter(({ sql }) => sql.startsWith('SELECT'));

const refreshOf = (tokens, session, generation = 1) => ({
  method: 'POST',
  path: '/api/v1/iam/auth/refresh',
  body: { refreshToken: tokens.refresh(session, generation) },
});

const probeOf = (tokens, person) => ({
  method: 'POST',
  path: '/api/auth/can',
  token: tokens.access(person, { inTenant: true }),
  body: { subject: `gh:///iam/tenants/${tenantOf(person)}`, scopes: ['iam:tenant:update'] },
});
