import { isLoopback } from './loopback.js';

/** The text of an address that leads nowhere else than it seems to: no user, fragment, wildcard, backslash, blank or non-ASCII character. */
const PLAIN =
  /^https?:\/\/[a-z0-9.:[\]-]+(?:[/?][\u0021\u0024-\u0029\u002b-\u003f\u0041-\u005b\u005d_a-z~%]*)?$/;
/** A path that some server or proxy resolves to another one: dot segments, also behind `;` or percent signs, and hidden slashes. */
const TRAVERSING = /\/\.{1,2}(?:[/;?]|$)|%(?:2e|2f|5c|25|00)|\/\//i;

/**
 * Whether codes and tokens may be sent to this address (security bar RED-2): https, or http to the machine itself while developing; spelled as a
 * browser would spell it, so that comparing characters compares what is meant.
 */
export function isPlainUrl(text: string): boolean {
  if (!PLAIN.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, pathname, search, href, username, password, hash } = new URL(text);
  if (username !== '' || password !== '' || hash !== '') return false;
  if (TRAVERSING.test(text.slice(text.indexOf('://') + 3))) return false;
  if (href !== text && href !== text.replace(/^(https?:\/\/[^/?]+)/, '$1/')) return false;
  if (pathname.includes('*') || search.includes('*')) return false;
  if (isLoopback(hostname)) return true;
  const named = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(hostname);
  return protocol === 'https:' && named;
}
