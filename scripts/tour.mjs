import { run } from './prepare.mjs';

run(['scripts/tour-steps.mjs']);
