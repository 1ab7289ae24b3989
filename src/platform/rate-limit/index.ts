export { CallerLimit } from './caller-limit.js';
export { GeneralLimit } from './general-limit.js';
export { RateLimitModule } from './rate-limit.module.js';
export { SilentLimit } from './silent-limit.js';
export { SilentBucket, StrictBucket, strictBuckets } from './buckets/network-bucket.js';
export { StrictLimit } from './strict-limit.decorator.js';
export { StrictLimitGuard } from './strict-limit.guard.js';
export { type Sharing, SHARING, TokenBuckets } from './buckets/token-buckets.js';
