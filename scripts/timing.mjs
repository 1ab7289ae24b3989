// Measures what response times reveal about an address. SAMPLES per arm (500).
// `npm run timing`: time of an answer, for pairs of requests that must look alike, interleaved.
// `npm run timing -- side-channel`: answers to another route after a request, which a job may slow
// down.
// `npm run timing -- stations`: time of a refused sign-in at a shared station, for unknown numbers
// and people who are refused.
import './help.mjs';
import { run } from './prepare.mjs';

const STEPS = { '': 'timing-steps', 'side-channel': 'side-channel-steps', stations: 'station-timing-steps' };
const steps = STEPS[process.argv.slice(2).join(' ')];
if (steps === undefined) {
  process.stderr.write('Usage: npm run timing -- [side-channel | stations]\n');
  process.exit(2);
}
run([`scripts/${steps}.mjs`]);
