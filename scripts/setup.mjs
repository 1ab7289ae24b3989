// Installs and builds everything that the other commands need. Starts nothing.
import { prepare } from './prepare.mjs';

prepare();
process.stdout.write('Ready. Next: npm start, npm run dev, npm test.\n');
