import { StrictBucket } from '../platform/rate-limit/index.js';

export const OPTIONS_LIMIT = new StrictBucket('options', 'RATE_OPTIONS');
