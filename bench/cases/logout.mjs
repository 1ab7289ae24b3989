import { batch } from '../support/batch.mjs';
import { BackChannel } from '../support/back-channel.mjs';
import { addSatellite, CLIENT_ID } from '../support/clients.mjs';
import { Directory } from '../support/directory.mjs';
import { send } from '../support/load.mjs';
import { paced, percentilesOf } from '../support/paced.mjs';
import { PASSWORD, storedPassword } from '../support/passwords.mjs';
import { idOf, populate } from '../support/people.mjs';

const AUTH = '/api/v1/iam/auth';
const ME = '/api/v1/iam/me';
const PEOPLE = '/api/v1/operator/people';
/** Generation of all refresh tokens: an earlier one was stolen. */
const GENERATION = 5;
/** Cause whose people a directory has made. */
const LEAVING = 'deactivation by a directory';
const NEW_PASSWORD = 'another battery of staples';

/**
 * What ends the first session of a person. A person has a second one; person 0 is an operator.
 * Those that cost much have a pace of their own, or the rest of their work would be measured.
 */
const CAUSES = [
  { name: 'logout', end: post(`${AUTH}/logout`) },
  { name: 'logout from all devices', end: post(`${AUTH}/logout-all`) },
  { name: 'logout from other devices', end: post(`${AUTH}/logout-others`, { isFromSecond: true }) },
  {
    name: 'end of one session',
    end: ({ service, token }, person) =>
      send(service, { method: 'DELETE', path: `${ME}/sessions/${idOf('S', person)}`, token: token(person) }),
  },
  {
    name: 'change of the password',
    perSecond: 1,
    end: ({ service, second }, person) => {
      const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
      return send(service, { method: 'PUT', path: `${ME}/password`, token: second(person), body });
    },
  },
  {
    name: 'reuse of a stolen refresh token',
    // Refused, and the session ends.
    end: ({ service, tokens }, person) =>
      send(service, {
        method: 'POST',
        path: `${AUTH}/refresh`,
        body: { refreshToken: tokens.refresh(person, 1) },
      }).catch(() => undefined),
  },
  { name: 'end of all sessions by an operator', end: byOperator('end-sessions') },
  { name: 'suspension', end: byOperator('suspend') },
  { name: LEAVING, end: ({ leave }, person) => leave(person) },
  {
    name: 'erasure',
    perSecond: 5,
    end: ({ service, token }, person) =>
      send(service, { method: 'DELETE', path: `${AUTH}/account`, token: token(person) }),
  },
];

function post(path, { isFromSecond = false } = {}) {
  return ({ service, token, second }, person) =>
    send(service, { method: 'POST', path, token: (isFromSecond ? second : token)(person) });
}

function byOperator(what) {
  return ({ service, operator }, person) =>
    send(service, { method: 'POST', path: `${PEOPLE}/${idOf('A', person)}/${what}`, token: operator });
}

/**
 * Measures the time from the request that ends a session to the logout token at the client, for
 * each cause.
 */
export default async function logout(bench) {
  const seconds = bench.of({ full: 10, quick: 5, smoke: 2 });
  const pace = bench.of({ full: 50, quick: 50, smoke: 5 });
  const paceOf = ({ perSecond = pace }) => Math.min(pace, perSecond);
  const most = 2 * seconds * pace;
  const client = await BackChannel.start();
  try {
    const world = await worldOf(bench, client.url, { causes: CAUSES.length, most });
    const rows = [];
    for (const [n, cause] of CAUSES.entries()) {
      const perSecond = paceOf(cause);
      const count = seconds * perSecond;
      const end = (turn) => {
        const person = personOf(turn);
        client.expect(idOf('S', person));
        return cause.end(world, person);
      };
      /** Ends the sessions of people from this turn on, at the pace. */
      const measured = async (first) => {
        client.latencies = [];
        await paced((turn) => end(first + turn), { count, perSecond });
        await client.until(count);
        return percentilesOf(client.latencies);
      };
      await measured(n * most); // warms the service
      const { p99 } = await measured(n * most + count);
      const name = `logout token after ${cause.name}, ${perSecond}/s, p99`;
      rows.push({ name, unit: 'ms', goal: { atMost: 1_000 }, ours: p99 });
    }
    return rows;
  } finally {
    await client.stop();
  }
}

/** Returns the person of a turn: none that owns an organization, which would refuse an erasure. */
const personOf = (turn) => Math.floor(turn / 9) * 10 + 1 + (turn % 9);

/** Starts the service with people who are signed in at the client in two sessions each. */
async function worldOf(bench, url, { causes, most }) {
  const people = personOf(causes * most) + 10;
  const service = await bench.service({ WEBHOOK_TRUSTED_HOSTS: '127.0.0.1', RATE_SCIM: '1000000000' });
  const { query } = service;
  await populate(query, { people, sessions: 2 * people, passwordHash: await storedPassword(service) });
  await addSatellite(query);
  await query('UPDATE satellites SET first_party = true, backchannel_logout_uri = $1', [url]);
  await query(`UPDATE grants SET generation = ${GENERATION}, rotated_at = now() - interval '1 hour'`);
  await query("INSERT INTO operators (account_id, role) VALUES ($1, 'admin')", [idOf('A', 0)]);
  const tokens = await bench.tokensOf(service);
  const first = CAUSES.findIndex(({ name }) => name === LEAVING) * most;
  const leave = await addLeavers(service, tokens, { first, count: most });
  await query(
    `INSERT INTO grants (id, session_id, account_id, client_id, idle_expires_at, granted_scopes)
     SELECT replace(id, '01BENCHG', '01BENCHB'), session_id, account_id, $1, idle_expires_at, '{openid}' FROM grants`,
    [CLIENT_ID],
  );
  return {
    service,
    tokens,
    leave,
    operator: tokens.access(0, { isStrong: true }),
    token: (person) => tokens.access(person),
    second: (person) => tokens.access(person, { session: people + person }),
  };
}

/**
 * Gives the first sessions of people to accounts that a directory makes.
 * @returns what deactivates the account of a person's session
 */
async function addLeavers(service, tokens, { first, count }) {
  const directory = await Directory.create(service, tokens);
  const records = [];
  await batch(count, 4, async (n) => (records[n] = await directory.add()));
  const sessions = records.map((_, n) => idOf('S', personOf(first + n)));
  for (const [table, session] of [
    ['sessions', 'id'],
    ['grants', 'session_id'],
  ])
    await service.query(
      `UPDATE ${table} SET account_id = u.account_id
       FROM unnest($1::text[], $2::text[]) AS l (record, session) JOIN directory_users u ON u.id = l.record
       WHERE ${table}.${session} = l.session`,
      [records, sessions],
    );
  const recordOf = new Map(records.map((record, n) => [personOf(first + n), record]));
  return (person) => directory.deactivate(recordOf.get(person));
}
