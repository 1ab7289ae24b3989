// Writes the parts of docs/ that are generated from the code, by the specs that compare them. With
// --images, takes the pictures of the portal instead.
import { run } from './prepare.mjs';

const SPECS = 'test/architecture/(monitoring|logs|errors-page|command-line|mail-texts)';

if (process.argv.includes('--images')) run(['scripts/docs-images-steps.mjs']);
else {
  process.env.WRITE_DOCS = '1';
  run(['node_modules/jest/bin/jest.js', SPECS]);
}
