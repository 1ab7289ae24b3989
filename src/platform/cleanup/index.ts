export { Cleanup, CleanupModule } from './cleanup.js';
