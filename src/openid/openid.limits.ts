import { StrictBucket } from '../platform/rate-limit/index.js';

export const TOKEN_LIMIT = new StrictBucket('token', 'RATE_REFRESH');
