const base = require('../jest.config.cjs');

/**
 * For `npm run mutation`, which changes sources, not what is built, and starts PostgreSQL once for
 * all runs.
 */
module.exports = {
  ...base,
  rootDir: '..',
  globalSetup: undefined,
  globalTeardown: undefined,
  runtime: '<rootDir>/test/runner/packages-runtime.cjs',
  testEnvironmentOptions: {},
  testEnvironment: require.resolve('./mutation/environment.cjs'),
};
