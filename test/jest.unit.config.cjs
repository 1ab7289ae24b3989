const base = require('../jest.config.cjs');

/** What needs no database: none is started, so that a spec that asks for one fails here. */
module.exports = {
  ...base,
  rootDir: '..',
  testMatch: ['<rootDir>/test/unit/**/*.spec.ts'],
  globalSetup: undefined,
  globalTeardown: undefined,
};
