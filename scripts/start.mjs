import { run } from './prepare.mjs';

run(['--enable-source-maps', 'dist/src/main.js']);
