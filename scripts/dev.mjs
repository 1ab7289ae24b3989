import { run } from './prepare.mjs';

run(['scripts/dev-steps.mjs', ...process.argv.slice(2)]);
