// Builds the documentation as a site with search, in scripts/docs-site/dist: npm run docs:site.
// Its packages are installed on the first run, apart from the service's.
import { run } from './prepare.mjs';

run(['scripts/docs-site-steps.mjs']);
