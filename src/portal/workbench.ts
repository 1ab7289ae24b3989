import type { Settings } from '../platform/config/index.js';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host);
}

/**
 * Whether this is the service on somebody's own machine, where nobody else can look: the embedded database, mails that become files, and every
 * address of it a loopback address. Whatever else is configured, it is not.
 */
export function isWorkbench(settings: Settings): boolean {
  const { DATABASE_URL, SMTP_URL, HOST, PUBLIC_URL, TRUSTED_PROXIES, NODE_ENV } = settings;
  return (
    DATABASE_URL === undefined &&
    SMTP_URL === undefined &&
    isLoopback(HOST) &&
    isLoopback(new URL(PUBLIC_URL).hostname) &&
    TRUSTED_PROXIES.length === 0 &&
    NODE_ENV !== 'production'
  );
}
