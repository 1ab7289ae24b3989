const base = require('../../jest.config.cjs');

process.env.TEST_LONG = '1'; // read by test/support/long.ts

/** The acceptance tests of whole processes: one after the other, and with a table of figures at the end. */
module.exports = {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/faults/at-*.spec.ts'],
  testPathIgnorePatterns: [],
  maxWorkers: 1,
  testTimeout: 180_000,
  reporters: ['<rootDir>/test/faults/support/reporter.cjs'],
};
