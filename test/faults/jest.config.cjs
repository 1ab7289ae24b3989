const { maxWorkers: _, ...base } = require('../../jest.config.cjs');

process.env.TEST_LONG = '1'; // read by test/support/long.ts

/**
 * Tests that judge milliseconds or compare times, and therefore run alone: AT-15 (answers of an
 * exhausted pool), AT-16 (answers beside a hung Redis), AT-17 (time until a logout reaches
 * replicas), AT-18 (p95 beside a broken mail server), AT-22 (answers beside slow clients), AT-24
 * (p95 beside a flood of hashes), and AT-28 (curves of a soak), which judges no times in its short
 * form. The others mostly wait, judge seconds, and have their own replicas, ports and PostgreSQL.
 */
const ALONE = ['at-15', 'at-16', 'at-17', 'at-18', 'at-22', 'at-24'];
if (!process.env.FAULTS_SHORT) ALONE.push('at-28');

const shared = { ...base, rootDir: `${__dirname}/../..`, testTimeout: 180_000, testPathIgnorePatterns: [] };

/**
 * Acceptance tests of whole processes: one after the other unless FAULTS_JOBS says otherwise, with
 * a table of figures at the end.
 */
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
