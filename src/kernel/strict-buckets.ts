/**
 * Strict rate limit buckets and the settings with their sizes: taken in addition to the general
 * bucket, per client network, with or without an access token. `hash` covers every route except
 * `login` that hashes a password: accounts are free, so a limit per account would limit no caller.
 */
export const STRICT_BUCKETS = {
  login: 'RATE_LOGIN',
  refresh: 'RATE_REFRESH',
  'request-password-reset': 'RATE_RESET',
  hash: 'RATE_HASH',
} as const;
export type StrictBucket = keyof typeof STRICT_BUCKETS;
export const STRICT_BUCKET_NAMES = Object.keys(STRICT_BUCKETS) as readonly StrictBucket[];
