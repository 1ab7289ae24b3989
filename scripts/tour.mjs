// Runs a journey over HTTP against a fresh service, and prints each request and answer:
// `npm run tour`, or of one subject: `npm run tour -- factors`, or `partners`.
import './help.mjs';
import { run } from './prepare.mjs';

run(['scripts/tour-steps.mjs', ...process.argv.slice(2)]);
