import { StrictBucket } from '../platform/rate-limit/index.js';

export const TOKEN_LIMIT = new StrictBucket('token', 'RATE_REFRESH');
export const SIGNALS_LIMIT = new StrictBucket('signals', 'RATE_REFRESH');
