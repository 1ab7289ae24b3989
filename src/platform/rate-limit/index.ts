export { Bucket, SilentBucket, StrictBucket, strictBuckets } from './buckets/bucket.js';
export { RateLimitModule } from './rate-limit.module.js';
export { RateLimits, StrictLimit, StrictLimitGuard } from './rate-limits.js';
export { type Sharing, SHARING, TokenBuckets } from './buckets/token-buckets.js';
