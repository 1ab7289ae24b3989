import { run } from './prepare.mjs';

run(['scripts/lab-steps.mjs', ...process.argv.slice(2)]);
