import { StrictBucket } from '../platform/rate-limit/index.js';

/** Nonces and sign-ins of stations: many share the network of a warehouse. */
export const STATION_LIMIT = new StrictBucket('station', 'RATE_STATION');
