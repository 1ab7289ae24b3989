import { run } from './prepare.mjs';

run(['scripts/demo-satellite-steps.mjs', ...process.argv.slice(2)]);
