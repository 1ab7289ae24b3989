// Writes the parts of docs/ that follow from the code: the specs that otherwise compare them do the writing.
import { run } from './prepare.mjs';

process.env.WRITE_DOCS = '1';
run(['node_modules/jest/bin/jest.js', 'test/architecture/(monitoring|logs|errors-page)']);
