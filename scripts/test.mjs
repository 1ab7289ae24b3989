// Runs the tests: `npm test -- members`, and with --config those of another configuration.
import { run } from './prepare.mjs';

const args = process.argv.slice(2);
const folders = args.includes('test/jest.unit.config.cjs') ? [] : undefined;
run(['node_modules/jest/bin/jest.js', ...args], { folders });
