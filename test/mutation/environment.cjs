const WorkerEnvironment = require('../runner/environment.cjs');

/** Skips the tests of a spec after the first that fails: the mutant is noticed. */
module.exports = class extends WorkerEnvironment {
  #failed = false;

  handleTestEvent({ name, test }) {
    if (name === 'test_done' && test.errors.length > 0) this.#failed = true;
    if (name === 'test_start' && this.#failed) test.mode = 'skip';
  }
};
