import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { send } from '../support/load.mjs';
import { populate } from '../support/people.mjs';

const FOLDER = 'bench/peers/better-auth';
const PEOPLE = { full: 100, quick: 20, smoke: 3 };
const CONNECTIONS = 32;

/** Measures authenticated requests of the service and of Better Auth on the same PostgreSQL. */
export default async function betterAuth(bench) {
  if (!existsSync(`${FOLDER}/node_modules`))
    execFileSync('npm', ['ci', '--prefix', FOLDER, '--no-audit', '--no-fund', '--loglevel=error'], {
      stdio: ['ignore', 2, 2],
    });
  const count = bench.of(PEOPLE);
  const service = await bench.service();
  await populate(service.query, { people: count });
  const tokens = await bench.tokensOf(service);
  const people = Array.from({ length: count }, (_, person) => person);
  const ours = people.map((person) => tokens.access(person, { inTenant: true }));
  const peer = await bench.peer(
    'better-auth/server',
    { DATABASE_URL: await bench.database('better_auth') },
    '/api/auth/ok',
  );
  const theirs = [];
  for (const person of people) theirs.push(await signUp(peer, person));
  const session = { path: '/api/auth/get-session', token: theirs[0] };
  if ((await send(peer, session)) === 'null') throw new Error('Better Auth does not know its own token.');
  const how = { connections: CONNECTIONS, seconds: bench.seconds };
  const asking = await bench.load(theirs.map((token) => ({ ...session, token })));
  const putTheirs = () => asking.put(peer, how);
  await bench.warm(putTheirs);
  const rows = [];
  for (const { name, ...route } of [
    { name: 'bearer-authenticated read', path: '/api/v1/iam/me' },
    {
      name: 'probe of one scope',
      method: 'POST',
      path: '/api/auth/can',
      body: { scopes: ['iam:invitation:create'] },
    },
  ]) {
    const load = await bench.load(ours.map((token) => ({ ...route, token })));
    const putOurs = () => load.put(service, how);
    await bench.warm(putOurs);
    const { perSecond } = await bench.paired(putOurs, putTheirs);
    rows.push({
      name,
      against: "Better Auth's get-session",
      unit: 'requests/s',
      goal: { atLeast: 8 },
      ...perSecond,
    });
  }
  return rows;
}

async function signUp({ base }, person) {
  const response = await fetch(`${base}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: base },
    body: JSON.stringify({ email: `p${person}@bench.example`, password: 'correct horse', name: 'Ada' }),
  });
  if (!response.ok) throw new Error(`Better Auth answered ${response.status}.`);
  return response.headers.get('set-auth-token');
}
