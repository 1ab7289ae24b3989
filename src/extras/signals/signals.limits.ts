import { StrictBucket } from '../../platform/rate-limit/index.js';

export const SIGNALS_LIMIT = new StrictBucket('signal-streams', 'RATE_REFRESH');
