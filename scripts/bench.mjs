// Measures the service beside its limits and peers: npm run bench [-- CASE ...] [--quick]. bench/README.md says what and how.
import { run } from './prepare.mjs';

run(['bench/run.mjs', ...process.argv.slice(2)]);
