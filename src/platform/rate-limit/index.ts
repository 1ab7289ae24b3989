export { GeneralLimit } from './general-limit.js';
export { RateLimitModule } from './rate-limit.module.js';
export { SilentLimit } from './silent-limit.js';
export { STRICT_BUCKET_NAMES, STRICT_BUCKETS } from './strict-buckets.js';
export { STRICT_LIMIT, StrictLimit } from './strict-limit.decorator.js';
export { StrictLimitGuard } from './strict-limit.guard.js';
export { SHARING, TokenBuckets, type Sharing } from './token-buckets.js';
