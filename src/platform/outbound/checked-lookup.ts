import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isSpecialAddress } from './special-address.js';

/** @returns host of a URL, without the brackets of IPv6 */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Names of this machine, whatever a resolver says (RFC 6761 section 6.3). */
const LOCALHOST = /(?:^|\.)localhost\.?$/i;

/** @returns whether the host must not be reached, which its text tells without a resolver */
export function isForbiddenLiteral(host: string): boolean {
  return LOCALHOST.test(host) || (isIP(host) !== 0 && isSpecialAddress(host));
}

/**
 * Resolves a host for a connection that is made to the result, so that no other address is used
 * than those that were checked. Fails if any of them is private, unless the host is trusted.
 */
export function lookupChecked(
  host: string,
  options: Parameters<LookupFunction>[1],
  isTrusted: (host: string) => boolean,
  done: Parameters<LookupFunction>[2],
): void {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, []);
    const isPrivate = addresses.some(({ address }) => isSpecialAddress(address));
    if (isPrivate && !isTrusted(host)) return done(refused(host), []);
    const [first] = addresses;
    if (options.all === true || !first) done(null, addresses);
    else done(null, first.address, first.family);
  });
}

export function refused(host: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${host} has a private address`), { code: 'EPRIVATE' });
}
