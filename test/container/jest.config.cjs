const { globalSetup: _setup, globalTeardown: _teardown, ...base } = require('../../jest.config.cjs');

/** What `npm run container` runs once the images are built: their databases are containers. */
module.exports = {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/container/*.check.ts'],
  testPathIgnorePatterns: [],
  maxWorkers: 1,
  testTimeout: 120_000,
};
