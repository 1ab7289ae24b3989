import { mapStackTraces } from '../source-maps.js';
import { runCommandLine } from './index.js';

mapStackTraces();
runCommandLine(process.argv.slice(2));
