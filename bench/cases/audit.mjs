import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CLI } from '../../scripts/service.mjs';
import { populate, sqlId, tenantOf } from '../support/people.mjs';
import { pinned, PLACE } from '../support/place.mjs';

const run = promisify(execFile);

const ORGANIZATIONS = 10;
/** One of so many events has details, as series of failed sign-ins have. */
const WITH_DETAILS = 10;
const POLL_MS = 50;
const LINES = 5_000;
/** Ten million in a minute. */
const VERIFIED_PER_SECOND = 10_000_000 / 60;

/**
 * Measures the audit trail, of ten organizations: how fast the service gives events their places in
 * the chains, `audit:verify` on one core, without its start, and the stream of one organization,
 * read by one collector.
 */
export default async function audit(bench) {
  const sizes = { full: 1_000_000, quick: 200_000, smoke: 10_000 };
  const events = Number(process.env.BENCH_AUDIT ?? bench.of(sizes));
  const service = await bench.service();
  await populate(service.query, { people: 10 * ORGANIZATIONS });
  const start = await verify(service);
  const all = (await chainedOf(service.query)) + events;
  await record(service.query, events);
  const chained = await chain(service.query, all);
  await service.query('VACUUM ANALYZE');
  const verified = await verify(service);
  if (verified.broken !== null || verified.entries !== start.entries + events)
    throw new Error(`Verified ${verified.entries} of ${events} events: ${JSON.stringify(verified.broken)}.`);
  const tokens = await bench.tokensOf(service);
  const streamed = await stream(service, tokens.access(0, { inTenant: true }));
  const of = `of ${events.toLocaleString('en')}`;
  return [
    { name: `audit events chained, ${of}`, unit: '/s', ours: chained },
    {
      name: `audit events verified, ${of}`,
      unit: '/s',
      goal: { atLeast: Math.round(VERIFIED_PER_SECOND) },
      ours: events / (verified.seconds - start.seconds),
    },
    { name: 'audit events streamed to one collector', unit: '/s', goal: { atLeast: 10_000 }, ours: streamed },
  ];
}

/** Records events of the organizations in turn. */
async function record(query, count) {
  const from = `generate_series(0, ${count - 1}) n`;
  const id = sqlId('V', 'n');
  const account = sqlId('A', `n % ${10 * ORGANIZATIONS}`);
  await query(`INSERT INTO audit_details (event_id, account_id, details)
    SELECT ${id}, ${account}, '{"count": 5}' FROM ${from} WHERE n % ${WITH_DETAILS} = 0`);
  await query(`INSERT INTO audit_events (id, tenant_id, account_id, action, subject)
    SELECT ${id}, ${sqlId('T', `n % ${ORGANIZATIONS}`)}, ${account}, 'member.joined', 'iam/members/' || ${account} FROM ${from}`);
  await query('ANALYZE audit_events, audit_details');
}

/** @returns how many events have their places in the chains */
async function chainedOf(query) {
  return Number((await query('SELECT sum(last) AS count FROM audit_chains'))[0].count);
}

/** Waits until all these events have places. @returns events per second since some of them had */
async function chain(query, all) {
  const before = await chainedOf(query);
  let [began, from] = [performance.now(), before];
  for (; ; await sleep(POLL_MS)) {
    const now = await chainedOf(query);
    if (now >= all) return (all - from) / ((performance.now() - began) / 1_000);
    if (from === before && now > before) [began, from] = [performance.now(), now];
  }
}

async function verify({ databaseUrl, rootSecret }) {
  const [command, ...words] = pinned(PLACE.service, [process.execPath, CLI, 'audit:verify']);
  const env = { ...process.env, DATABASE_URL: databaseUrl, ROOT_SECRET: rootSecret };
  const began = performance.now();
  const { stdout } = await run(command, words, { env });
  return { ...JSON.parse(stdout), seconds: (performance.now() - began) / 1_000 };
}

/** Reads the whole trail of an organization. @returns lines per second */
async function stream({ base }, token) {
  const headers = { authorization: `Bearer ${token}` };
  const began = performance.now();
  for (let [lines, after] = [0, 0]; ;) {
    const path = `/api/v1/iam/tenants/${tenantOf(0)}/audit-stream?limit=${LINES}&after=${after}`;
    const response = await fetch(base + path, { headers });
    if (!response.ok) throw new Error(`The stream answered ${response.status}.`);
    const page = (await response.text()).split('\n').slice(0, -1);
    lines += page.length;
    if (page.length < LINES) return lines / ((performance.now() - began) / 1_000);
    after = JSON.parse(page.at(-1)).metadata.sequence;
  }
}
