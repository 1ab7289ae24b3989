export { ChangeFeed, NOTIFY_TIME } from './change-feed.js';
export { LiveCache } from './live-cache.js';
export { LiveSet } from './live-set.js';
export { LiveModule } from './live.module.js';
