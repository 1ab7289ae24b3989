const base = require('../jest.config.cjs');

process.env.TEST_LONG = '1'; // read by test/support/long.ts; workers inherit it

/** Specs that `npm test` runs in a short form (`roundsOf`). */
const LONG_FORMS = [
  'test/e2e/ability-parity.spec.ts',
  'test/e2e/revocation-races.spec.ts',
  'test/e2e/satellite-codes.spec.ts',
];

/** What is long by nature: providers of Debian, npm and the documents' commands, races and random cases in full. */
module.exports = {
  ...base,
  rootDir: '..',
  testMatch: [
    '<rootDir>/{test,client/test}/**/*.long.spec.ts',
    ...LONG_FORMS.map((spec) => `<rootDir>/${spec}`),
  ],
  testPathIgnorePatterns: [],
  maxWorkers: 2,
  testTimeout: 180_000,
};
