const { rm } = require('node:fs/promises');
const pg = require('pg');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { forgetTaken, shareKeyPairs } = require('./rsa-keys.cjs');

shareKeyPairs();

/** Connection of this worker to the server of the databases; it does not keep the process alive. */
let admin;

/**
 * Runs spec files in the realm of their worker instead of a vm context each, so that they share
 * `Error`, `Array` and the like with what the worker loads once (packages-runtime.cjs).
 * Drops at the end the databases that a spec file created, which take up memory, removes its
 * temporary folders, and restores what it changed on `globalThis` and in `process.env`: a fake
 * `setTimeout` that is left would make all later spec files of the worker wait without end. Option
 * `keptGlobals`: names of what stays.
 */
module.exports = class WorkerEnvironment {
  constructor({ projectConfig }) {
    this.keptGlobals = projectConfig.testEnvironmentOptions.keptGlobals ?? [];
    this.global = globalThis;
    this.fakeTimers = null; // the legacy ones
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.moduleMocker = new ModuleMocker(globalThis);
    this.globalsBefore = Object.getOwnPropertyDescriptors(globalThis);
    this.variablesBefore = { ...process.env };
    const { exit, getBuiltinModule } = process;
    this.processBefore = { exit, getBuiltinModule }; // Jest replaces them for each spec file
    Error.stackTraceLimit = 100;
    forgetTaken();
  }

  async setup() {}

  async teardown() {
    const { testDatabases = [], testFolders = [] } = globalThis;
    this.fakeTimersModern.dispose();
    for (const key of Reflect.ownKeys(globalThis)) {
      if (!Object.hasOwn(this.globalsBefore, key) && !this.keptGlobals.includes(key))
        Reflect.deleteProperty(globalThis, key);
    }
    for (const key of Reflect.ownKeys(this.globalsBefore)) {
      const before = this.globalsBefore[key];
      if (before.configurable) Object.defineProperty(globalThis, key, before);
    }
    for (const name of Object.keys(process.env)) {
      if (!(name in this.variablesBefore)) delete process.env[name];
    }
    Object.assign(process.env, this.variablesBefore);
    Object.assign(process, this.processBefore);
    for (const name of testDatabases) await drop(name);
    for (const folder of testFolders) await remove(folder);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return globalThis;
  }
};

async function drop(name) {
  admin ??= new pg.Pool({
    connectionString: process.env.TEST_POSTGRES_URL,
    max: 1,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
  }).on('error', () => undefined); // the server ends with the run
  await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/** Does not fail the spec file for a process that has not ended yet and still writes. */
async function remove(folder) {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}
