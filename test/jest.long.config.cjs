const base = require('../jest.config.cjs');
const LONG_FORMS = require('./long-forms.cjs');

process.env.TEST_LONG = '1'; // read by test/support/long.ts; workers inherit it

/**
 * Long tests: providers of Debian, npm, the commands of the documents, hosts that hang, all races
 * and random cases.
 */
module.exports = {
  ...base,
  rootDir: '..',
  testMatch: [
    '<rootDir>/{test,client/test,react/test}/**/*.long.spec.ts',
    ...LONG_FORMS.map((spec) => `<rootDir>/${spec}`),
  ],
  testPathIgnorePatterns: [],
  testTimeout: 180_000,
};
