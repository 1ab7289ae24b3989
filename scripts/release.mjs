// Gives the changes since the last release their number: `npm run release -- 1.1.0`. Heads them in
// CHANGELOG.md and replaces the last number wherever a file names our packages and images. What is
// left to do, it says.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [next = ''] = process.argv.slice(2);
const { version: last } = JSON.parse(readFileSync('package.json', 'utf8'));
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const [, entries] = /^## Unreleased\n\n(.*?)(?=^## |$(?![^]))/ms.exec(changelog) ?? [];
const isReleased = (version) => changelog.includes(`\n## ${version} - `);

if (!/^\d+\.\d+\.\d+$/.test(next)) fail('Name the number of the release, as in: npm run release -- 1.1.0');
if (isReleased(next)) fail(`${next} is in CHANGELOG.md already.`);
if (compare(next, last) < 0) fail(`${next} is before ${last}, the number in package.json.`);
if (!entries?.trim()) fail('CHANGELOG.md has nothing under "Unreleased".');

const today = new Date().toISOString().slice(0, 10);
writeFileSync(
  'CHANGELOG.md',
  changelog.replace('## Unreleased\n', `## Unreleased\n\n## ${next} - ${today}\n`),
);
const named = numberOf(last);
for (const file of execFileSync('git', ['grep', '-lIF', last], { encoding: 'utf8' }).trim().split('\n')) {
  if (file === 'CHANGELOG.md') continue;
  const text = readFileSync(file, 'utf8');
  const changed = text.replace(named, `$1${next}`);
  if (changed !== text) writeFileSync(file, changed);
}
process.stdout.write(`${next} of ${today}. Review the changes, pass .ci/run, commit, and tag v${next}.\n`);

/** Finds the number behind the name of a package, an archive or an image of ours. */
function numberOf(version) {
  const name = String.raw`"(?:@gatehouse/\w+|gatehouse)"`;
  const before = [
    String.raw`gatehouse(?:-client|-react)?[-:]`,
    String.raw`${name}: "\^?`,
    String.raw`"name": ${name},\s+"version": "`,
    String.raw`"node_modules/@gatehouse/\w+": \{\s+"version": "`,
    'newTag: ',
    "VERSION = '",
  ];
  return new RegExp(String.raw`(${before.join('|')})${RegExp.escape(version)}`, 'g');
}

/** Compares numbers of releases; negative if the first is the older one. */
function compare(a, b) {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  return left.map((part, n) => part - right[n]).find((difference) => difference !== 0) ?? 0;
}

function fail(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(2);
}
