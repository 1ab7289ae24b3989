import { spawnSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { CASES } from './cases/index.mjs';
import { Bench } from './support/bench.mjs';
import { moveTo, PLACE } from './support/place.mjs';
import { startPostgres } from './support/postgres.mjs';
import { tableOf } from './support/report.mjs';
import { keep } from './support/results.mjs';

/** Cases that a smoke run works on side by side: it makes no statement about speed. */
const SMOKE_LANES = 2;

const known = Object.keys(CASES);
const { values: said, positionals: wanted } = parseWords();
const size = said.smoke ? 'smoke' : said.quick ? 'quick' : 'full';
const profiles = said.profile ? 'bench/results/profiles' : undefined;

if (spawnSync('wrk', ['--version']).error) {
  say('The benchmark sends its load by wrk. Install it: apt-get install wrk, or brew install wrk.');
  process.exit(1);
}

moveTo(PLACE.database); // and with it the database
const names = wanted.length > 0 ? wanted : known;
const found = new Map();
const waiting = [...names];
const lanes = await Promise.allSettled(Array.from({ length: size === 'smoke' ? SMOKE_LANES : 1 }, lane));
const failed = lanes.find(({ status }) => status === 'rejected');
if (failed) throw failed.reason;
const rows = names.flatMap((name) => found.get(name));
process.stdout.write(`${tableOf(rows)}\n`);
const broken = rows.filter(({ left, ratio, ours }) => left === undefined && !Number.isFinite(ratio ?? ours));
if (broken.length > 0) throw new Error(`No number: ${broken.map(({ name }) => name).join(', ')}.`);

/** Reads the cases and options; ends with the usage for an unknown one, as a run takes hours. */
function parseWords() {
  const options = Object.fromEntries(
    ['smoke', 'quick', 'profile', 'help'].map((name) => [name, { type: 'boolean' }]),
  );
  try {
    const parsed = parseArgs({ options, allowPositionals: true });
    const unknown = parsed.positionals.filter((name) => !known.includes(name));
    if (unknown.length > 0) throw new Error(`There is no case ${unknown.join(', ')}.`);
    if (!parsed.values.help) return parsed;
    say(usage());
    process.exit(0);
  } catch ({ message }) {
    say(`${message}\n${usage()}`);
    process.exit(2);
  }
}

function usage() {
  return `Usage: npm run bench -- [CASE ...] [--quick | --smoke] [--profile]\nThe cases are ${known.join(', ')}.`;
}

/** Measures the cases that wait, one after the other, on a PostgreSQL of its own. */
async function lane() {
  const postgres = await startPostgres();
  try {
    for (let name = waiting.shift(); name; name = waiting.shift()) {
      say(`${name} ... (load average ${loadavg()[0].toFixed(1)})`);
      found.set(name, await measure(CASES[name], postgres));
      say(tableOf(found.get(name)));
      if (size === 'full' && !profiles) keep(name, found.get(name), known);
    }
  } catch (error) {
    waiting.length = 0; // ends the other lane after its case
    throw error;
  } finally {
    await postgres.stop();
  }
}

async function measure(work, postgres) {
  const bench = new Bench(postgres, { size, profiles });
  try {
    return await work(bench);
  } finally {
    await bench.close();
  }
}

function say(line) {
  process.stderr.write(`${line}\n`);
}
