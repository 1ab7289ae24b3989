// Steps of scripts/mutation.mjs, on the pinned Node.
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import pg from 'pg';
import { decodeTime } from 'ulid';
import { folderOf, missingSpecs, partOf, PARTS, specPath } from '../test/mutation/parts.mjs';
import setUp from '../test/support/global-setup.mjs';
import tearDown from '../test/support/global-teardown.mjs';

const REPORTS = 'results/mutation';
/** Kinds of files without decisions: columns, what decorators say, and generated types. */
const NO_DECISIONS = /(\.(module|entity|dto|response|decorator|d)|\/index|\/generated\/.*)\.ts$/;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    kind: { type: 'string' }, // one mutator alone, such as Sql
    specs: { type: 'string', multiple: true }, // in place of those of the part
  },
});
process.env.MUTATION_SAMPLE = values.sample;
if (values.kind) process.env.MUTATION_KIND = values.kind;

const files = PARTS.flatMap((part) => globSync(`${folderOf(part)}/**/*.ts`)).filter(
  (file) =>
    !NO_DECISIONS.test(file) &&
    (positionals.length === 0 ||
      positionals.some((glob) => file.startsWith(glob) || matchesGlob(file, glob))),
);

const missing = missingSpecs(values.specs ?? PARTS.flatMap(({ specs }) => specs));
if (missing.length > 0) throw new Error(`No spec has this name: ${missing.join(', ')}`);

await setUp();
const tidying = setInterval(() => {
  dropOldDatabases().catch((error) => process.stderr.write(`Old databases are kept: ${error}\n`));
}, 60_000);
const scores = [];
try {
  for (const part of PARTS) {
    const mutate = [...new Set(files.filter((file) => partOf(file) === part))];
    if (mutate.length > 0) scores.push(score(part.name, await test(part, mutate)));
  }
} finally {
  clearInterval(tidying);
  await tearDown();
}
mkdirSync(REPORTS, { recursive: true });
writeFileSync(`${REPORTS}/scores.json`, `${JSON.stringify(scores, null, 2)}\n`);
process.stdout.write(`\nMutants, of a sample of ${values.sample}:\n`);
for (const { part, tried, noticed, late } of [...scores, total(scores)]) {
  const percent = tried === 0 ? '-' : `${((100 * noticed) / tried).toFixed(1)} %`;
  process.stdout.write(
    `${part.padEnd(28)} ${String(tried).padStart(5)} ${percent.padStart(8)}, ${late} by a timeout\n`,
  );
}

function test({ name, specs: own }, mutate) {
  const specs = values.specs ?? own;
  const report = `${REPORTS}/${name.replaceAll('/', '-')}`;
  return new Stryker({
    mutate,
    mutator: { plugins: null, excludedMutations: ['StringLiteral'] },
    testRunner: 'jest-by-spec',
    plugins: ['@stryker-mutator/*', `${process.cwd()}/test/mutation/plugin.mjs`],
    ignorers: ['not-mutated'],
    jest: {
      configFile: 'test/jest.mutation.config.cjs',
      config: { testMatch: specs.map((spec) => `<rootDir>/${specPath(spec)}`) },
      enableFindRelatedTests: false,
    },
    coverageAnalysis: 'perTest',
    ignoreStatic: true, // a constant of a module would run every spec
    disableTypeChecks: false,
    ignorePatterns: ['/results', '/coverage', '/bench'],
    concurrency: Number(values.jobs),
    maxTestRunnerReuse: 20, // each run leaves memory behind
    timeoutMS: 60_000,
    timeoutFactor: 3,
    dryRunTimeoutMinutes: 20,
    reporters: ['survivors', 'progress-append-only', 'html', 'json'],
    htmlReporter: { fileName: `${report}.html` },
    jsonReporter: { fileName: `${report}.json` },
    tempDirName: '.stryker-tmp',
    cleanTempDir: 'always',
    allowConsoleColors: false,
    warnings: { slow: false },
  }).runMutationTest();
}

/**
 * Leaves out mutants that keep a spec from starting, and what is not mutated. A timeout on a busy
 * machine may be no sign of the mutant.
 */
function score(part, mutants) {
  const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const noticed = count('Killed', 'Timeout');
  const late = mutants.filter(
    ({ status, statusReason }) =>
      status === 'Timeout' || (status === 'Killed' && /Exceeded timeout/.test(statusReason ?? '')),
  ).length;
  return { part, tried: noticed + count('Survived', 'NoCoverage'), noticed, late };
}

function total(all) {
  const sum = (of) => all.reduce((before, each) => before + each[of], 0);
  return { part: 'all', tried: sum('tried'), noticed: sum('noticed'), late: sum('late') };
}

/** Removes what the specs leave behind: each has its own database, named by a ULID. */
async function dropOldDatabases() {
  const client = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query(`SELECT datname AS name FROM pg_database WHERE datname LIKE 'test\\_%'
    AND datname NOT IN (SELECT datname FROM pg_stat_activity WHERE datname IS NOT NULL)`);
  const old = rows.filter(({ name }) => decodeTime(name.slice(5).toUpperCase()) < Date.now() - 300_000);
  for (const { name } of old) await client.query(`DROP DATABASE ${name}`).catch(() => undefined);
  await client.end();
}
