const { createRequire } = require('node:module');
const { compileFunction, constants } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** Specifiers of files, not of packages; workspaces are the project's own. */
const OWN = /^(?:\.{0,2}\/|@gatehouse\/)/;

/**
 * Loads packages by Node itself, once per worker: 2,000 of the 2,400 modules of an application.
 * Jest loads the project's own modules for each spec file.
 */
module.exports = class SharedPackagesRuntime extends Runtime {
  constructor(...parameters) {
    super(...parameters);
    // Jest compiles for a vm context; the worker's own realm (environment.cjs) is none.
    this.executor.compile = (source, filename) =>
      compileFunction(source, this.executor.injectedModuleParameters, {
        filename,
        importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      });
  }

  requireModule(from, name, options, actual) {
    const ofJest = name === undefined || options?.isInternalModule;
    if (ofJest || OWN.test(name) || this._resolution.isCoreModule(name))
      return super.requireModule(from, name, options, actual);
    return createRequire(from)(name);
  }
};
