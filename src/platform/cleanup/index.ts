export { Cleanup, CleanupModule, RemovesExpired } from './cleanup.js';
