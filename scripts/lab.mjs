// Runs external sign-in until Ctrl-C: identity providers, a service with them as settings, an app.
//   npm run lab                               stand-ins for all five kinds, with fault switches
//   npm run lab -- simplesamlphp glewlwyd     real providers, from Debian
//   npm run lab -- two-organizations          organizations with their own provider each
import './help.mjs';
import { run } from './prepare.mjs';

run(['scripts/lab-steps.mjs', ...process.argv.slice(2)]);
