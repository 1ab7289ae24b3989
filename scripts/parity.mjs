// Compares the permission check with the real commands in a million cases (PARITY_CASES), and roles
// on things in as many: takes one to two hours each. `npm run parity`.
import './help.mjs';
import { run } from './prepare.mjs';

process.env.PARITY_CASES ??= '1000000';
run([
  'node_modules/jest/bin/jest.js',
  '--config',
  'test/jest.long.config.cjs',
  'test/e2e/ability/ability-parity',
  'test/e2e/ability/things-parity',
]);
