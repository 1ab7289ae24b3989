export { createGatehouse, type Gatehouse } from './gatehouse.js';
export type { GatehouseOptions, TeamModule } from './options.js';
