import type { GatehouseOptions } from 'gatehouse';
import { CreateShipments1795300000000 } from './migrations/1795300000000-create-shipments.js';
import { ShipmentsModule } from './shipments/shipments.module.js';

/** What this repository adds to Gatehouse. */
export const options: GatehouseOptions = {
  modules: [ShipmentsModule],
  migrations: [CreateShipments1795300000000],
};
