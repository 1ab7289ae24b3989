import { run } from './prepare.mjs';
import { CLI } from './service.mjs';

run([CLI, ...process.argv.slice(2)]);
