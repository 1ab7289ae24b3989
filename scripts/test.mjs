// Runs the tests: `npm test -- members`, and with --config those of another configuration.
import { run } from './prepare.mjs';

const args = process.argv.slice(2);
const needsBuild = !args.includes('test/jest.unit.config.cjs');
run(['node_modules/jest/bin/jest.js', ...args], { needsBuild });
