export { Caller, Confirmed, ProtectedResource, Public, RequireScopes, RequireSignIn } from './decorators.js';
export { GatehouseModule, type GatehouseModuleOptions } from './gatehouse.module.js';
