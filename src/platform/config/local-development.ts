import { isLoopback } from './loopback.js';
import type { Settings } from './settings.js';

/**
 * Tells whether this is local development: the embedded database, loopback addresses alone, no proxy, and not NODE_ENV=production, so that no
 * other machine reaches the service. What opens accounts (links of mails) is shown here and nowhere else.
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
