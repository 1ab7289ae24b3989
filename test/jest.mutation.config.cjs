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
  // The client by its sources: the package leads to what is built of them.
  moduleNameMapper: {
    '^@gatehouse/client$': '<rootDir>/client/src/index.ts',
    '^@gatehouse/client/(\\w+)$': '<rootDir>/client/src/$1/index.ts',
    ...base.moduleNameMapper,
  },
  testEnvironment: require.resolve('./mutation/environment.cjs'),
};
