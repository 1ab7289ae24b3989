export { type Bounds, DeliveryEngine, type Reservation, type Target } from './delivery-engine.js';
export { DueScan } from './due-scan.js';
export { UNSYNCED } from './unsynced.js';
