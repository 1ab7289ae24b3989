import { besideSql } from '../support/beside-sql.mjs';
import {
  addCodes,
  addSatellite,
  CLIENT_ID,
  CLIENT_SECRET,
  CODE_CHALLENGE,
  CODE_VERIFIER,
  codeOf,
  REDIRECT_URI,
} from '../support/clients.mjs';
import { populate } from '../support/people.mjs';

const PEOPLE = 5_000;
const CODES = 20_000;

/** A build of before satellite codes were a property of the registration has no such column. */
const WITH_CODES = `DO $$ BEGIN
  UPDATE satellites SET first_party = true, satellite_codes = true;
EXCEPTION WHEN undefined_column THEN NULL;
END $$`;

/** Measures issue and exchange of an authorization code of a satellite. */
export default async function satellite(bench) {
  const service = await bench.service();
  await populate(service.query, { people: PEOPLE });
  await addSatellite(service.query);
  await service.query(WITH_CODES);
  let used = 0;
  const moreCodes = async (count) => {
    const first = used;
    used += count;
    await addCodes(service.query, first, count, PEOPLE);
    return first;
  };
  const statements = await bench.statementsOf(service, async (tokens) => visitOf(tokens, await moreCodes(1)));
  const tokens = await bench.tokensOf(service);
  const ours = async (how) => {
    const first = await moreCodes(CODES);
    const visits = Array.from({ length: CODES }, (_, n) => visitOf(tokens, first + n));
    const load = await bench.load(visits.flat());
    const found = await load.put(service, how);
    return { ...found, perSecond: found.perSecond / 2 };
  };
  const pgbench = await bench.pgbench(service, sameCode(statements), { people: PEOPLE });
  const { perSecond } = await besideSql(bench, ours, pgbench);
  return [
    {
      name: 'satellite: issue and exchange',
      against: 'their SQL by pgbench',
      unit: '/s',
      goal: { atLeast: 0.5 },
      ...perSecond,
    },
  ];
}

/** Exchanges codes created beforehand: the load does not read responses. */
function visitOf(tokens, n) {
  const person = n % PEOPLE;
  return [
    {
      method: 'POST',
      path: '/api/v1/iam/auth/satellite/code',
      token: tokens.access(person),
      body: { clientId: CLIENT_ID, redirectUri: REDIRECT_URI, codeChallenge: CODE_CHALLENGE },
    },
    {
      method: 'POST',
      path: '/api/v1/iam/auth/satellite/token',
      body: {
        code: codeOf(n),
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
        codeVerifier: CODE_VERIFIER,
      },
    },
  ];
}

/** Lets pgbench exchange the code that it has just issued. */
function sameCode(statements) {
  const [issued] = statements.find(({ sql }) => sql.startsWith('INSERT INTO one_time_codes')).parameters;
  return statements.map(({ sql, parameters: [first, ...rest] }) =>
    sql.includes('UPDATE one_time_codes')
      ? { sql, parameters: [`{"\\${issued}"}`, ...rest] }
      : { sql, parameters: first === undefined ? [] : [first, ...rest] },
  );
}
