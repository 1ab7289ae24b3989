export { ChangeFeed } from './change-feed.js';
export { LiveCache } from './live-cache.js';
export { LiveModule } from './live.module.js';
