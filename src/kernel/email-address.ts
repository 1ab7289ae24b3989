import { domainToASCII } from 'node:url';
import { isEmail } from 'class-validator';

export const MAX_EMAIL_LENGTH = 254;

/** What may stand in a domain; `domainToASCII` would cut off a path, drop tabs and undo percent signs, as a URL parser does. */
const DOMAIN = /^(?:[a-z\d.-]|[^\p{ASCII}\p{C}\p{Z}])+$/iu;

/**
 * Whether this is one address that can be mailed and compared safely: an ASCII local part (so that no look-alike such as the Kelvin
 * sign folds onto another person's address), a domain with an ASCII form, nothing quoted and no comments.
 */
export function isEmailAddress(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_EMAIL_LENGTH) return false;
  const at = value.lastIndexOf('@');
  // eslint-disable-next-line no-control-regex -- printable ASCII without space is what is meant
  if (at < 1 || !/^[\u0021-\u007e]+$/.test(value.slice(0, at)) || value.includes('"')) return false;
  if (!DOMAIN.test(value.slice(at + 1))) return false;
  const domain = domainToASCII(value.slice(at + 1));
  return domain !== '' && isEmail(`${value.slice(0, at)}@${domain}`, { allow_utf8_local_part: false });
}

/** What stands behind the last at sign, in lower case: for comparing with domains that are somebody's own. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

/** The one form under which addresses are compared and looked up: lower case, the domain in its ASCII form. */
export function canonicalEmail(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at).toLowerCase()}@${domainToASCII(address.slice(at + 1))}`;
}
