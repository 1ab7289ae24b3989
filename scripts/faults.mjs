// Runs the acceptance tests that break processes, networks, disks and clocks:
// `npm run test:faults -- [at-12 ...] [--short] [--jobs N] [--minutes N] [--rounds N]
// [--people N] [--failed]`.
import './help.mjs';
import { parseArgs } from 'node:util';
import { run } from './prepare.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    rounds: { type: 'string' }, // of AT-33
    people: { type: 'string' }, // of AT-29
    failed: { type: 'boolean', default: false }, // those alone that failed in the run before
  },
});
process.env.FAULTS_SHORT = values.short ? '1' : '';
process.env.FAULTS_MINUTES = values.minutes ?? '';
process.env.FAULTS_ROUNDS = values.rounds ?? '';
process.env.FAULTS_PEOPLE = values.people ?? '';
// Maximum number of specs side by side; test/faults/jest.config.cjs names those that may.
process.env.FAULTS_JOBS = values.jobs;
const jest = ['node_modules/jest/bin/jest.js', '--config', 'test/faults/jest.config.cjs'];
const files = positionals.map((name) => `test/faults/${name.toLowerCase()}`);
const flags = [...(values.jobs === '1' ? ['--runInBand'] : []), ...(values.failed ? ['--onlyFailures'] : [])];
run([...jest, ...flags, ...files]);
