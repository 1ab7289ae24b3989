import { StrictBucket } from '../platform/rate-limit/index.js';

/** Set-up links cause requests to DNS servers and to identity providers. */
export const SETUP_LIMIT = new StrictBucket('setup-link', 'RATE_SETUP');
