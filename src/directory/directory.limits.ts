import { Bucket } from '../platform/rate-limit/index.js';

/** Per directory, instead of the general buckets. */
export const SCIM_LIMIT = new Bucket('scim', 'RATE_SCIM');
