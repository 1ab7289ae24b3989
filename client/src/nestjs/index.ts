export { Caller, Confirmed, Public, RequireScopes } from './decorators.js';
export { GatehouseModule } from './gatehouse.module.js';
