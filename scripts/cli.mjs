import { run } from './prepare.mjs';

run(['dist/src/cli/main.js', ...process.argv.slice(2)]);
