export { RecentlyUsed } from './recently-used.js';
