export { type StationCredentials, type StationOptions, Station } from './station.js';
export { StationSession } from './station-session.js';
export { type RegisteredStation, type StationStore, indexedDbStore } from './station-store.js';
