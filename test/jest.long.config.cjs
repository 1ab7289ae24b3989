const base = require('../jest.config.cjs');

process.env.TEST_LONG = '1'; // read by test/support/long.ts; workers inherit it

/** Specs that `npm test` runs in a short form (`roundsOf`, `LONG`). */
const LONG_FORMS = [
  'test/e2e/ability-parity.spec.ts',
  'test/e2e/command-line.spec.ts',
  'test/e2e/connection-attacks.spec.ts',
  'test/e2e/external-flow.spec.ts',
  'test/e2e/external-linking.spec.ts',
  'test/e2e/external-suspension.spec.ts',
  'test/e2e/fast-path.spec.ts',
  'test/e2e/member-suspension.spec.ts',
  'test/e2e/ownership-transfer.spec.ts',
  'test/e2e/revocation-races.spec.ts',
  'test/e2e/satellite-codes.spec.ts',
  'test/e2e/sessions.spec.ts',
  'test/e2e/suspension.spec.ts',
  'test/e2e/tenant-races.spec.ts',
];

/**
 * Long tests: providers of Debian, npm, the commands of the documents, hosts that hang, all races
 * and random cases.
 */
module.exports = {
  ...base,
  rootDir: '..',
  testMatch: [
    '<rootDir>/{test,client/test,react/test}/**/*.long.spec.ts',
    ...LONG_FORMS.map((spec) => `<rootDir>/${spec}`),
  ],
  testPathIgnorePatterns: [],
  maxWorkers: 2,
  testTimeout: 180_000,
};
