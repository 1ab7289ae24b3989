import { run } from './prepare.mjs';

run(['scripts/tour-steps.mjs', ...process.argv.slice(2)]);
