const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** Checks whether a host of a URL or a setting is a loopback host. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host);
}

/**
 * URL without misleading parts: no user, fragment, wildcard, backslash, blank or non-ASCII
 * character.
 */
const PLAIN =
  /^https?:\/\/[a-z0-9.:[\]-]+(?:[/?][\u0021\u0024-\u0029\u002b-\u003f\u0041-\u005b\u005d_a-z~%]*)?$/;
/**
 * Paths that a server or proxy may resolve to another one: dot segments, also before `;` or
 * percent-encoded, and encoded or doubled slashes.
 */
const TRAVERSAL = /\/\.{1,2}(?:[/;?]|$)|%(?:2e|2f|5c|25|00)|\/\//i;

/**
 * Checks whether codes and tokens may be sent to a URL (RED-2): https, or http to a loopback host
 * in development; in the form that a browser normalizes to, so that URLs can be compared by
 * characters.
 */
export function isPlainUrl(text: string): boolean {
  if (!PLAIN.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, pathname, search, href, username, password, hash } = new URL(text);
  if (username !== '' || password !== '' || hash !== '') return false;
  if (TRAVERSAL.test(text.slice(text.indexOf('://') + 3))) return false;
  if (href !== text && href !== text.replace(/^(https?:\/\/[^/?]+)/, '$1/')) return false;
  if (pathname.includes('*') || search.includes('*')) return false;
  if (isLoopback(hostname)) return true;
  const named = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(hostname);
  return protocol === 'https:' && named;
}
