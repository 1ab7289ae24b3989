const { default: TestRunner } = require('jest-runner'); // which is Jest's own

/** Runs its tests one after the other and beside no others, however many workers there are. */
module.exports = class AloneRunner extends TestRunner {
  isSerial = true;
};
