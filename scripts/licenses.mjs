// Writes the CycloneDX bill of materials of a production install (dist/sbom.cdx.json) and lists its
// licences. Fails for a licence that is not on the list below: another one needs a decision first.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';

/** Permissive licences, whose only duty is to keep the notice. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
]);
/** Packages whose licence field predates SPDX; read from their LICENSE files. */
const READ = new Map([
  ['busboy@1.6.0', 'MIT'],
  ['passport-strategy@1.0.0', 'MIT'],
  ['pause@0.0.1', 'MIT'],
  ['streamsearch@1.1.0', 'MIT'],
]);
const FILE = 'dist/sbom.cdx.json';

const sbom = execFileSync(
  'npm',
  ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only', '--loglevel', 'error'],
  { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
);
mkdirSync('dist', { recursive: true });
writeFileSync(FILE, sbom);
const { components } = JSON.parse(sbom);
const packages = components.map(({ name, version, licenses = [] }) => ({
  name: `${name}@${version}`,
  license:
    licenses.map(({ license, expression }) => expression ?? license.id ?? license.name).join(' AND ') ||
    (READ.get(`${name}@${version}`) ?? ''),
}));

const counts = new Map();
for (const { license } of packages) counts.set(license, (counts.get(license) ?? 0) + 1);
for (const [license, count] of [...counts].sort(([, a], [, b]) => b - a)) {
  process.stdout.write(`${String(count).padStart(5)}  ${license || 'none'}\n`);
}
const refused = packages.filter(({ license }) => !isAllowed(license));
for (const { name, license } of refused)
  process.stdout.write(`refused: ${name}: ${license || 'no licence'}\n`);
process.stdout.write(`${packages.length} packages. Written to ${FILE}.\n`);
process.exitCode = refused.length > 0 ? 1 : 0;

/** Evaluates an SPDX expression: one alternative of OR must be allowed, and all parts of AND. */
function isAllowed(expression) {
  const parts = expression.replace(/^\(|\)$/g, '').split(' AND ');
  return parts.every((part) => part.split(' OR ').some((license) => ALLOWED.has(license.trim())));
}
