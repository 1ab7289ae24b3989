const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** Checks whether a host of a URL or a setting is a loopback host. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host);
}
