import { isLoopback } from './plain-url.js';
import type { Settings } from './settings.js';

/**
 * Checks for local development: embedded database, loopback addresses only, no proxy, and not
 * NODE_ENV=production, so that no other machine can reach the service. Only then may the service
 * show links of mails, which open accounts.
 */
export function isLocalDevelopment(settings: Settings): boolean {
  const { DATABASE_URL, HOST, PUBLIC_URL, TRUSTED_PROXIES, NODE_ENV } = settings;
  return (
    DATABASE_URL === undefined &&
    isLoopback(HOST) &&
    isLoopback(new URL(PUBLIC_URL).hostname) &&
    TRUSTED_PROXIES.length === 0 &&
    NODE_ENV !== 'production'
  );
}
