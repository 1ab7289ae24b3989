import { StrictBucket } from '../platform/rate-limit/index.js';

export const LEAKED_KEY_LIMIT = new StrictBucket('leaked-key', 'RATE_HASH');
