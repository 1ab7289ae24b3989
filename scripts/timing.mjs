// Measures what response times reveal about an address. SAMPLES per arm (500).
// `npm run timing`: time of an answer, for pairs of requests that must look alike, interleaved.
// `npm run timing -- side-channel`: answers to another route after a request, which a job may slow
// down.
import { run } from './prepare.mjs';

const steps = process.argv[2] === 'side-channel' ? 'side-channel-steps' : 'timing-steps';
run([`scripts/${steps}.mjs`]);
