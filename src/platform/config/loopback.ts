const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** Whether a host, as addresses or settings name it, is the machine itself. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host);
}
