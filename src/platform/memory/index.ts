export { PackedNumbers } from './packed-numbers.js';
export { RecentlyUsed } from './recently-used.js';
