// Measures what times say about an address. SAMPLES per arm (500).
// `npm run timing`: the time of an answer, for pairs of requests that must look alike, interleaved.
// `npm run timing -- side-channel`: the answers to another route after a request, by which its job could show.
import { run } from './prepare.mjs';

const steps = process.argv[2] === 'side-channel' ? 'side-channel-steps' : 'timing-steps';
run([`scripts/${steps}.mjs`]);
