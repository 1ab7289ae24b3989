const base = require('../jest.config.cjs');
const LONG_FORMS = require('./long-forms.cjs');

/** Set by .ci/run, whose `npm run test:long` runs these specs as well, with more rounds. */
const leftToLong = process.env.TEST_LONG_FOLLOWS === '1' ? LONG_FORMS : [];

/** What `npm test` runs without a path: all but the specs that open a browser. */
module.exports = {
  ...base,
  rootDir: '..',
  testPathIgnorePatterns: [
    ...base.testPathIgnorePatterns,
    '<rootDir>/test/portal/',
    '\\.browser\\.spec\\.ts$',
    ...leftToLong.map((spec) => `<rootDir>/${spec}$`),
  ],
};
