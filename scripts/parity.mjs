// Compares the ability probe with the real commands, a million cases long (PARITY_CASES): an hour or two.
import { run } from './prepare.mjs';

process.env.PARITY_CASES ??= '1000000';
run(['node_modules/jest/bin/jest.js', '--config', 'test/jest.long.config.cjs', 'test/e2e/ability-parity']);
