// Runs local development until Ctrl-C: `npm run dev`. Options: `--api` (3000), `--portal` (5173),
// `--provider` (5174) and `--inspect` (9229), each a port.
import './help.mjs';
import { run } from './prepare.mjs';

run(['scripts/dev-steps.mjs', ...process.argv.slice(2)]);
