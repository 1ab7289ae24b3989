import type { GatehouseOptions } from 'gatehouse';
import { CreateShipments1795300000000 } from './migrations/1795300000000-create-shipments.js';
import { ShipmentsModule } from './shipments/shipments.module.js';
import { CreateWarehouse1796110000001 } from './warehouse/1796110000001-create-warehouse.js';
import { WarehouseModule } from './warehouse/warehouse.module.js';

/** What this repository adds to Gatehouse. */
export const options: GatehouseOptions = {
  modules: [ShipmentsModule, WarehouseModule],
  migrations: [CreateShipments1795300000000, CreateWarehouse1796110000001],
};
