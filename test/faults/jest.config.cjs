const { maxWorkers: _, ...base } = require('../../jest.config.cjs');

process.env.TEST_LONG = '1'; // read by test/support/long.ts

/**
 * Those that judge milliseconds, or set one time beside another: AT-15 (answers of a pool that is exhausted), AT-16 (answers beside a Redis
 * that hangs), AT-17 (how soon a logout is heard of), AT-18 (p95 beside a broken mail server), AT-22 (answers beside slow clients), AT-24 (p95
 * beside a flood of hashes), AT-28 (curves of a soak). Beside them nothing else may have the processor. The others wait for the most part,
 * judge seconds, and have replicas, ports and a PostgreSQL of their own.
 */
const ALONE = ['at-15', 'at-16', 'at-17', 'at-18', 'at-22', 'at-24', 'at-28'];

const shared = { ...base, rootDir: `${__dirname}/../..`, testTimeout: 180_000, testPathIgnorePatterns: [] };

/** The acceptance tests of whole processes: one after the other unless FAULTS_JOBS says otherwise, with a table of figures at the end. */
module.exports = {
  rootDir: '../..',
  maxWorkers: Number(process.env.FAULTS_JOBS || 1),
  testTimeout: 180_000,
  reporters: ['<rootDir>/test/faults/support/reporter.cjs'],
  projects: [
    {
      ...shared,
      testMatch: ['<rootDir>/test/faults/at-*.spec.ts'],
      testPathIgnorePatterns: [`/test/faults/(${ALONE.join('|')})-`],
    },
    {
      ...shared,
      testMatch: ALONE.map((name) => `<rootDir>/test/faults/${name}-*.spec.ts`),
      runner: '<rootDir>/test/faults/support/alone-runner.cjs',
    },
  ],
};
