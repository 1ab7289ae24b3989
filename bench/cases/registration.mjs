import { batch } from '../support/batch.mjs';
import { send } from '../support/load.mjs';
import { bcryptAlone, PASSWORD } from '../support/passwords.mjs';
import { populate } from '../support/people.mjs';

const PEOPLE = 1_000;
const AT_ONCE = 8;

/** Measures registrations: a hash, a row and the job of the mail. */
export default async function registration(bench) {
  const service = await bench.service();
  await populate(service.query, { people: PEOPLE });
  let registered = 0;
  const next = () => requestOf((registered += 1));
  const statements = await bench.statementsOf(service, () => [next()]);
  const request = statements.slice(0, statements.findIndex(({ sql }) => sql === 'COMMIT') + 1);
  const pgbench = await bench.pgbench(service, request, { people: PEOPLE });
  const count = bench.of({ full: 24, quick: 8, smoke: 2 });
  const { perSecond } = await bench.paired(
    () => batch(count, AT_ONCE, () => send(service, next())),
    async () => {
      const sql = await pgbench.run({ connections: AT_ONCE, seconds: 1 });
      const hash = await bcryptAlone(count);
      return { perSecond: 1 / (1 / sql.perSecond + 1 / hash.perSecond) };
    },
  );
  return [
    {
      name: 'registration',
      against: 'its SQL by pgbench and a hash',
      unit: '/s',
      goal: { atLeast: 0.5 },
      ...perSecond,
    },
  ];
}

const requestOf = (n) => ({
  method: 'POST',
  path: '/api/v1/iam/auth/register',
  body: { email: `newcomer${n}@bench.example`, password: PASSWORD, firstName: 'Ada' },
});
