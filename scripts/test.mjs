// Runs the tests: `npm test`, `npm test -- members`, and with --config those of another
// configuration.
import { run } from './prepare.mjs';

const args = process.argv.slice(2);
const folders = args.includes('test/jest.unit.config.cjs') ? ['dist'] : undefined;
// With a path, all specs are looked at, those that open a browser among them.
const all = args.some((arg) => !arg.startsWith('-'));
const config = all ? [] : ['--config', 'test/jest.quick.config.cjs'];
// A larger young generation, which the workers inherit: a fifth less processor time.
run(['--max-semi-space-size=64', 'node_modules/jest/bin/jest.js', ...config, ...args], { folders });
