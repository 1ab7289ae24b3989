// Writes the parts of docs/ that are generated from the code, by the specs that compare them.
import { run } from './prepare.mjs';

process.env.WRITE_DOCS = '1';
run(['node_modules/jest/bin/jest.js', 'test/architecture/(monitoring|logs|errors-page|command-line)']);
