// Writes docs/openapi.json from the running service, by the architecture test that compares it.
import { run } from './prepare.mjs';

process.env.WRITE_OPENAPI = '1';
run(['node_modules/jest/bin/jest.js', 'test/architecture/openapi-snapshot']);
