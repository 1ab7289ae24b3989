// Breaks the sources at one place at a time and tells which breaks no test notices:
// `npm run mutation -- [glob ...] [--sample 0.2] [--jobs N]`.
import { run } from './prepare.mjs';

run(['scripts/mutation-steps.mjs', ...process.argv.slice(2)], {
  folders: ['dist', 'client/src/generated', 'dist/bundle'],
});
