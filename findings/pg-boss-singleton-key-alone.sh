#!/usr/bin/env bash
# pg-boss 12.38.0: singletonKey no longer keeps a job from being queued twice, as in 9.0.3.
#
# Behaviour: in release 9, a second send() with the singletonKey of a job that is not done returns null. In
# release 12, where queues have the policy "standard" unless they are made otherwise, both jobs are queued and
# fetched, and both sends return an id. The key counts with singletonSeconds, or with a policy: "short" keeps
# one job in the queue, while another one runs; "singleton" keeps one at work, and queues any number;
# "exclusive" keeps one of both, which is what release 9 did.
# Consequence: after the upgrade, people get a mail, or an app a webhook, as often as the job was asked for,
# and a job that is to run once for each tenant runs twice at a time; no error or type says so.
# Output: by release and policy, what the second send returns, while the first job waits and while it runs
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts pg-boss@12.38.0 pg-boss-9@npm:pg-boss@9.0.3 \
  @opentelemetry/api@1.9.0 @electric-sql/pglite@0.5.17 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { PGlite } from '@electric-sql/pglite';
import { PgBoss } from 'pg-boss';
import PgBoss9 from 'pg-boss-9';

/** PostgreSQL in this process. */
function database() {
  const pglite = new PGlite();
  const executeSql = async (text, values) => {
    if (values?.length > 0) return withCount(await pglite.query(text, values));
    return { rows: (await pglite.exec(text)).flatMap(({ rows }) => rows) };
  };
  return { executeSql };
}
const withCount = ({ rows, affectedRows }) => ({ rows, rowCount: rows.length || affectedRows });
const told = (id) => (id === null ? 'null' : 'an id');

async function outcome(Boss, options, createQueue) {
  const boss = new Boss({ db: database(), ...options });
  boss.on('error', console.error);
  await boss.start();
  await createQueue(boss);
  const send = () => boss.send('digest', {}, { singletonKey: 'ada' });
  await send();
  const waits = told(await send());
  await boss.fetch('digest');
  const runs = told(await send());
  return `${waits}, ${runs}`;
}
const lines = [`release 9: ${await outcome(PgBoss9, { noSupervisor: true, noScheduling: true }, () => {})}`];
for (const policy of ['standard', 'short', 'singleton', 'exclusive']) {
  const createQueue = (boss) => boss.createQueue('digest', policy === 'standard' ? {} : { policy });
  lines.push(`release 12, ${policy}: ${await outcome(PgBoss, { supervise: false, schedule: false }, createQueue)}`);
}
console.log(lines.join('\n'));
const expected = [
  'release 9: null, null',
  'release 12, standard: an id, an id',
  'release 12, short: null, an id',
  'release 12, singleton: an id, an id',
  'release 12, exclusive: null, null',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 180 node run.mjs
