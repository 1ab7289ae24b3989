const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/**
 * Runs spec files in the realm of their worker instead of a vm context each, so that they share
 * `Error`, `Array` and the like with the packages that the worker loads once (runtime.cjs).
 * Restores at the end what a spec file changed on `globalThis` and in `process.env`: a fake
 * `setTimeout` that is left would make all later spec files of the worker wait without end.
 */
module.exports = class WorkerEnvironment {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.fakeTimers = null; // the legacy ones
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.moduleMocker = new ModuleMocker(globalThis);
    this.globalsBefore = Object.getOwnPropertyDescriptors(globalThis);
    this.variablesBefore = { ...process.env };
    Error.stackTraceLimit = 100;
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    for (const key of Reflect.ownKeys(globalThis)) {
      if (!Object.hasOwn(this.globalsBefore, key)) Reflect.deleteProperty(globalThis, key);
    }
    for (const key of Reflect.ownKeys(this.globalsBefore)) {
      const before = this.globalsBefore[key];
      if (before.configurable) Object.defineProperty(globalThis, key, before);
    }
    for (const name of Object.keys(process.env)) {
      if (!(name in this.variablesBefore)) delete process.env[name];
    }
    Object.assign(process.env, this.variablesBefore);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return globalThis;
  }
};
