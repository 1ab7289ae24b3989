import { loadavg } from 'node:os';
import { CASES } from './cases/index.mjs';
import { Bench } from './support/bench.mjs';
import { moveTo, PLACE } from './support/place.mjs';
import { startPostgres } from './support/postgres.mjs';
import { tableOf } from './support/report.mjs';
import { keep } from './support/results.mjs';

const words = process.argv.slice(2);
const said = (word) => words.includes(`--${word}`);
const size = said('smoke') ? 'smoke' : said('quick') ? 'quick' : 'full';
const profiles = said('profile') ? 'bench/results/profiles' : undefined;
const known = Object.keys(CASES);
const wanted = words.filter((word) => !word.startsWith('--'));
const unknown = wanted.filter((name) => !known.includes(name));

if (unknown.length > 0) {
  say(`There is no case ${unknown.join(', ')}. The cases are ${known.join(', ')}.`);
  process.exit(2);
}

moveTo(PLACE.database); // and with it the database
const postgres = await startPostgres();
const rows = [];
try {
  for (const name of wanted.length > 0 ? wanted : known) {
    say(`${name} ... (load average ${loadavg()[0].toFixed(1)})`);
    const found = await measure(CASES[name]);
    say(tableOf(found));
    rows.push(...found);
    if (size === 'full' && !profiles) keep(name, found, known);
  }
} finally {
  await postgres.stop();
}
process.stdout.write(`${tableOf(rows)}\n`);
const broken = rows.filter(({ left, ratio, ours }) => left === undefined && !Number.isFinite(ratio ?? ours));
if (broken.length > 0) throw new Error(`No number: ${broken.map(({ name }) => name).join(', ')}.`);

async function measure(work) {
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
