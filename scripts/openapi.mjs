// Writes docs/openapi.json anew, from the running service: the architecture test that otherwise compares it does the writing.
import { run } from './prepare.mjs';

process.env.WRITE_OPENAPI = '1';
run(['node_modules/jest/bin/jest.js', 'test/architecture/openapi-snapshot']);
