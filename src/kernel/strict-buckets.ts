/**
 * Buckets beside the general ones and the settings with their sizes, counted per client network
 * whatever token is shown. `hash` is of every route that hashes a password and is not `login`:
 * accounts are free, so that counting hashes per account would limit no caller.
 */
export const STRICT_BUCKETS = {
  login: 'RATE_LOGIN',
  refresh: 'RATE_REFRESH',
  'request-password-reset': 'RATE_RESET',
  hash: 'RATE_HASH',
} as const;
export type StrictBucket = keyof typeof STRICT_BUCKETS;
export const STRICT_BUCKET_NAMES = Object.keys(STRICT_BUCKETS) as readonly StrictBucket[];
