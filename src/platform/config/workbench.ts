import { isLoopback } from './loopback.js';
import type { Settings } from './settings.js';

/**
 * Whether this is the service on somebody's own machine, which no other machine can reach: the embedded database, and every address of it a
 * loopback address. Whatever else is configured, it is not.
 */
export function isWorkbench(settings: Settings): boolean {
  const { DATABASE_URL, HOST, PUBLIC_URL, TRUSTED_PROXIES, NODE_ENV } = settings;
  return (
    DATABASE_URL === undefined &&
    isLoopback(HOST) &&
    isLoopback(new URL(PUBLIC_URL).hostname) &&
    TRUSTED_PROXIES.length === 0 &&
    NODE_ENV !== 'production'
  );
}
