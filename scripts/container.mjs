// Carries out the Dockerfile without an engine, and starts what it makes in a file system where nothing can be written. Needs bwrap (Debian's bubblewrap).
import { run } from './prepare.mjs';

run(['node_modules/jest/bin/jest.js', '--testMatch', '<rootDir>/test/container/*.check.ts']);
