export { Cleanup } from './cleanup.decorator.js';
export { CleanupModule } from './cleanup.module.js';
