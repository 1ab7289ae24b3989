export { isLocalDevelopment } from './local-development.js';
export { isLoopback, isPlainUrl } from './plain-url.js';
export { hostsOf } from './postgres-hosts.js';
export type { RedisAddress } from './redis-address.js';
export { loadRootSecret } from './root-secret.js';
export { Secret } from './secret.js';
export { InvalidSettings, readSettings, type Settings } from './settings.js';
export { SETTINGS } from './settings.token.js';
