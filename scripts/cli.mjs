import { run } from './prepare.mjs';

run(['--enable-source-maps', 'dist/src/cli/main.js', ...process.argv.slice(2)]);
