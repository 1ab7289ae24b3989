/** Response headers that pages of other origins may read (CORS). */
export const EXPOSED_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
  'WWW-Authenticate',
  'DPoP-Nonce',
  'Location',
  'Idempotency-Replayed',
  'ETag',
  'Deprecation',
  'Sunset',
  'Link',
];
