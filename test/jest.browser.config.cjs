const base = require('../jest.config.cjs');

process.env.TEST_LONG = '1'; // read by test/support/long.ts; workers inherit it

/** Specs that open a browser, in their long form: every page in both themes and on a phone. */
module.exports = {
  ...base,
  rootDir: '..',
  testMatch: [
    '<rootDir>/test/portal/**/*.spec.ts',
    '<rootDir>/{test,client/test,react/test}/**/*.browser.spec.ts',
  ],
  maxWorkers: 2,
  testTimeout: 120_000,
};
