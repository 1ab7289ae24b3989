// Runs the acceptance tests that break processes, networks, disks and clocks: `npm run test:faults -- [at-12 ...] [--short] [--minutes N]`.
import { parseArgs } from 'node:util';
import { run } from './prepare.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false }, minutes: { type: 'string' } },
});
process.env.FAULTS_SHORT = values.short ? '1' : '';
process.env.FAULTS_MINUTES = values.minutes ?? '';
const jest = ['node_modules/jest/bin/jest.js', '--config', 'test/faults/jest.config.cjs', '--runInBand'];
run([...jest, ...positionals.map((name) => `test/faults/${name.toLowerCase()}`)]);
