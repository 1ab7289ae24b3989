export { type Bounds, DeliveryEngine, type Reservation, type Target } from './delivery-engine.js';
export type { Receiver } from './slots.js';
export { UNSYNCED } from './unsynced.js';
