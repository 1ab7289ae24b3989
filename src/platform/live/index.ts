export { ChangeFeed, NOTIFY_TIME } from './change-feed.js';
export { LiveCache, LiveSet } from './live-cache.js';
export { LiveModule } from './live.module.js';
