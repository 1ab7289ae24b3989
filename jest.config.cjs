// Compiles specs and sources to CommonJS, which Jest loads without flags of Node.js; not packages.
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

/** Sources of what package.json exports. */
const ofThePackage = Object.fromEntries(
  Object.entries(require('./package.json').exports).map(([name, path]) => [
    `^gatehouse${name.slice(1)}$`,
    path.replace(/^\.\/(?:dist\/)?/, '<rootDir>/').replace(/\.js$/, '.ts'),
  ]),
);

module.exports = {
  testEnvironment: '<rootDir>/test/runner/environment.cjs',
  // Where class-validator and TypeORM keep what the decorators of the shared modules declare, the
  // compiled OpenAPI document, and what the xpath of samlp leaves on the global object.
  testEnvironmentOptions: {
    keptGlobals: [
      'classValidatorMetadataStorage',
      'typeormMetadataArgsStorage',
      'openApiContract',
      'Functions',
      'Utilities',
    ],
  },
  runtime: '<rootDir>/test/runner/service-runtime.cjs',
  setupFiles: ['<rootDir>/test/runner/quiet.ts'],
  testMatch: ['<rootDir>/{test,client/test,react/test}/**/*.spec.ts'],
  // npm run test:faults and npm run test:long run these.
  testPathIgnorePatterns: ['<rootDir>/test/faults/', '\\.long\\.spec\\.ts$'],
  transform: { '^.+\\.c?[tj]s$': ['@swc/jest', swc] },
  transformIgnorePatterns: ['/node_modules/(?!@nestjs/typeorm/)'],
  // Examples import this package. Sources import x.ts as "./x.js". A package's own "./x.js" still
  // resolves to itself.
  moduleNameMapper: { ...ofThePackage, '^(\\.{1,2}/.*)\\.js$': '$1' },
  moduleFileExtensions: ['js', 'ts', 'cjs', 'mjs', 'json', 'node'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.stryker-tmp/'],
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  maxWorkers: 3, // one more than the cores of a small machine, as many specs wait
  testTimeout: 30_000,
};
