export { Bucket, SilentBucket, StrictBucket, strictBuckets } from './buckets/bucket.js';
export { RateLimitModule } from './rate-limit.module.js';
export { RateLimits } from './rate-limits.js';
export { StrictLimit, StrictLimitGuard } from './strict-limit.guard.js';
export { type Sharing, SHARING, TokenBuckets } from './buckets/token-buckets.js';
