// Runs the service with its portal and a help centre, which share one sign-in, until Ctrl-C:
// `npm run demo:satellite`; with a shop that has an authorization page: `-- --app`.
import './help.mjs';
import { run } from './prepare.mjs';

run(['scripts/demo-satellite-steps.mjs', ...process.argv.slice(2)]);
