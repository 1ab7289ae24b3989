import { run } from './prepare.mjs';

run(['node_modules/jest/bin/jest.js', ...process.argv.slice(2)]);
