import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { pictureOf } from './picture.mjs';
import { CORES } from './place.mjs';

const at = (name) => new URL(`../results/${name}`, import.meta.url);

/** Describes the machine and its load average. */
function circumstances() {
  return {
    date: new Date().toISOString().slice(0, 10),
    cores: CORES,
    processor: cpus()[0]?.model.trim() ?? '',
    node: process.version,
    load: loadavg()[0],
  };
}

/** Replaces the rows of a case, in the order of `cases`. */
export function keep(name, rows, cases) {
  const kept = read();
  kept[name] = { ...circumstances(), rows };
  const sorted = Object.fromEntries(cases.flatMap((known) => (kept[known] ? [[known, kept[known]]] : [])));
  writeFileSync(at('results.json'), `${JSON.stringify(sorted, null, 2)}\n`);
  const all = Object.values(sorted).flatMap((found) => found.rows);
  const { cores, processor, node } = circumstances();
  writeFileSync(at('speed.svg'), pictureOf(all, `${cores} cores of ${processor}, Node ${node}`));
  return all;
}

function read() {
  try {
    return JSON.parse(readFileSync(at('results.json'), 'utf8'));
  } catch {
    return {};
  }
}
