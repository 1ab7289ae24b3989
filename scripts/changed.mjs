// Runs the specs that the changes since main most likely affect:
// `npm run test:changed [-- --since HEAD~1]`.
import './help.mjs';
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { choose } from './changed-specs.mjs';
import { run } from './prepare.mjs';

const { values } = parseArgs({ options: { since: { type: 'string', default: 'main' } } });

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8' });
  if (status === 0) return stdout.split('\n').filter((line) => line !== '');
  process.stderr.write(stderr);
  process.exit(1);
}

const [base] = git('merge-base', values.since, 'HEAD');
const changed = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
const specs = choose(changed);
process.stderr.write(
  `${changed.length} files have changed. A guess which specs notice: ${specs.length} run. All: npm test\n`,
);
if (specs.length > 0) run(['node_modules/jest/bin/jest.js', '--runTestsByPath', ...specs]);
