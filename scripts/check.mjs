// Runs the static checks, as many at a time as there are cores, and prints one line for each check.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { prepare } from './prepare.mjs';

/**
 * Scripts of package.json, slow ones first. Their commands joined by && do not depend on each other
 * and run side by side.
 */
const CHECKS = ['types', 'format:check', 'lint:api', 'architecture', 'unused', 'prose', 'lint'];

// The types of the client, against which the portal is checked, and the API document.
prepare({ folders: ['dist', 'client/src/generated', 'client/dist'] });
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const env = {
  ...process.env,
  PATH: [join(process.cwd(), 'node_modules', '.bin'), process.env.PATH].join(delimiter),
};
const checks = CHECKS.map((name) => ({ name, left: scripts[name].split(' && ').length, failures: [] }));
const waiting = checks.flatMap((check) =>
  scripts[check.name].split(' && ').map((command) => ({ check, command })),
);
await Promise.all(Array.from({ length: availableParallelism() }, work));
process.exitCode = checks.some(({ failures }) => failures.length > 0) ? 1 : 0;

async function work() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { check, command } = next;
    check.startedMs ??= performance.now();
    const { code, output } = await run(command);
    if (code !== 0) check.failures.push(`${command}\n${output}`);
    check.left -= 1;
    if (check.left === 0) report(check);
  }
}

function run(command) {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => resolve({ code, output }));
  });
}

function report({ name, startedMs, failures }) {
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  process.stdout.write(`${failures.length === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(12)} ${seconds} s\n`);
  for (const failure of failures) process.stdout.write(`\n${failure}\n`);
}
