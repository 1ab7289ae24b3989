// Measures what an answer's time says about an address: pairs of requests that must look alike, interleaved. SAMPLES per arm (500).
import { run } from './prepare.mjs';

run(['scripts/timing-steps.mjs']);
