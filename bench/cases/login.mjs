import { batch } from '../support/batch.mjs';
import { send } from '../support/load.mjs';
import { bcryptAlone, PASSWORD, storedPassword } from '../support/passwords.mjs';
import { populate } from '../support/people.mjs';

const PEOPLE = 1_000;
const AT_ONCE = 8;

/** Measures logins against bcrypt alone: the hash should be almost all of the cost. */
export default async function login(bench) {
  const service = await bench.service();
  await populate(service.query, { people: PEOPLE, passwordHash: await storedPassword(service) });
  const count = bench.of({ full: 24, quick: 8, smoke: 2 });
  const { perSecond } = await bench.paired(
    () => batch(count, AT_ONCE, (n) => send(service, loginOf(n % PEOPLE))),
    () => bcryptAlone(count),
  );
  return [{ name: 'login', against: 'bcrypt alone', unit: '/s', goal: { atLeast: 0.95 }, ...perSecond }];
}

export const loginOf = (person) => ({
  method: 'POST',
  path: '/api/v1/iam/auth/login',
  body: { email: `p${person}@bench.example`, password: PASSWORD },
});
