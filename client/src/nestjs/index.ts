export { Caller, Confirmed, Public, RequireScopes, RequireSignIn } from './decorators.js';
export { GatehouseModule, type GatehouseModuleOptions } from './gatehouse.module.js';
