import { loadavg } from 'node:os';
import { CASES } from './cases/index.mjs';
import { Bench } from './support/bench.mjs';
import { moveTo, PLACE } from './support/place.mjs';
import { tableOf } from './support/report.mjs';
import { keep } from './support/results.mjs';

const words = process.argv.slice(2);
const quick = words.includes('--quick');
const profiles = words.includes('--profile') ? 'bench/results/profiles' : undefined;
const known = Object.keys(CASES);
const wanted = words.filter((word) => !word.startsWith('--'));
const unknown = wanted.filter((name) => !known.includes(name));

if (unknown.length > 0) {
  say(`There is no case ${unknown.join(', ')}. The cases are ${known.join(', ')}.`);
  process.exit(2);
}

moveTo(PLACE.database); // and with it the databases that it starts
const rows = [];
for (const name of wanted.length > 0 ? wanted : known) {
  say(`${name} ... (load average ${loadavg()[0].toFixed(1)})`);
  const found = await measure(CASES[name]);
  rows.push(...found);
  if (!quick && !profiles) keep(name, found, known);
}
process.stdout.write(`${tableOf(rows)}\n`);

async function measure(work) {
  const bench = new Bench({ quick, profiles });
  try {
    return await work(bench);
  } finally {
    await bench.close();
  }
}

function say(line) {
  process.stderr.write(`${line}\n`);
}
