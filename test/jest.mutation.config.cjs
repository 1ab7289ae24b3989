const base = require('../jest.config.cjs');

/** For `npm run mutation`, which starts PostgreSQL once for all runs. */
module.exports = {
  ...base,
  rootDir: '..',
  globalSetup: undefined,
  globalTeardown: undefined,
  testEnvironment: require.resolve('./mutation/environment.cjs'),
};
