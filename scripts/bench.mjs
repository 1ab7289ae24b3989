// Measures the service next to its limits and peers: npm run bench [-- CASE ...] [--quick].
// bench/README.md describes the cases and the method.
import { run } from './prepare.mjs';

run(['bench/run.mjs', ...process.argv.slice(2)]);
