const { createRequire } = require('node:module');
const { compileFunction, constants } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/**
 * Specifiers that Jest loads: files, workspaces, and the package that keeps a list of all entities,
 * which would hold those of each spec file before.
 */
const BY_JEST = /^(?:\.{0,2}\/|gatehouse(?:\/|$)|@gatehouse\/|@nestjs\/typeorm$)/;

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
    if (ofJest || BY_JEST.test(name) || this._resolution.isCoreModule(name))
      return super.requireModule(from, name, options, actual);
    return createRequire(from)(name);
  }
};
