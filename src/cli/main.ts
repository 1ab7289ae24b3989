import { runCommandLine } from './index.js';

runCommandLine(process.argv.slice(2));
