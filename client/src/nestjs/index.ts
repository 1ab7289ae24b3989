export { Caller, Confirmed, Public, RequireScopes, RequireSignIn } from './decorators.js';
export { GatehouseModule } from './gatehouse.module.js';
