const base = require('../jest.config.cjs');

/** What `npm test` runs without a path: all but the specs that open a browser. */
module.exports = {
  ...base,
  rootDir: '..',
  testPathIgnorePatterns: [
    ...base.testPathIgnorePatterns,
    '<rootDir>/test/portal/',
    '\\.browser\\.spec\\.ts$',
  ],
};
