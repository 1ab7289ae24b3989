import { randomBytes } from 'node:crypto';
import { domainToASCII } from 'node:url';

/**
 * Providers that give addresses to anyone. An organization that could verify one of them would be
 * an authority for strangers.
 */
const FREE_MAIL: ReadonlySet<string> = new Set([
  'aol.com',
  'fastmail.com',
  'free.fr',
  'gmail.com',
  'gmx.at',
  'gmx.ch',
  'gmx.de',
  'gmx.net',
  'googlemail.com',
  'hey.com',
  'hotmail.com',
  'icloud.com',
  'laposte.net',
  'libero.it',
  'live.com',
  'mac.com',
  'mail.com',
  'mail.ru',
  'mailbox.org',
  'me.com',
  'msn.com',
  'orange.fr',
  'outlook.com',
  'pm.me',
  'posteo.de',
  'proton.me',
  'protonmail.com',
  'qq.com',
  't-online.de',
  'tuta.com',
  'web.de',
  'yahoo.com',
  'yandex.com',
  'yandex.ru',
  'zoho.com',
]);

/** Maximum length of a domain whose record, with its longer name, is still a name (RFC 1035). */
const MAX_LENGTH = 242;
/** Letters of any script, digits, dots and hyphens: Node.js would drop what follows a slash. */
const CHARACTERS = /^[\p{L}\p{M}\p{N}.-]+$/u;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** A domain that can be verified, or why it cannot be. */
export type CheckedDomain = { readonly domain: string } | { readonly fault: string };

/**
 * Brings a domain into its stored form: A-labels in lower case (RFC 5890).
 * @returns the fault of an address, of a public suffix, under which anyone can have a domain, and
 *   of a provider of free mail
 */
export async function checkDomain(text: string): Promise<CheckedDomain> {
  const name = text.trim().replace(/\.$/, '');
  const domain = CHARACTERS.test(name) ? domainToASCII(name).toLowerCase() : '';
  const labels = domain.split('.');
  if (domain.length > MAX_LENGTH || labels.length < 2 || !labels.every((label) => LABEL.test(label)))
    return { fault: 'must be a domain, such as example.com' };
  const { parse } = await import('tldts'); // a large list that few requests need
  const { isIp, domain: registrable } = parse(domain, { allowPrivateDomains: true });
  if (isIp === true) return { fault: 'must be a domain, and not an address' };
  if (registrable === null) return { fault: 'must not be a suffix under which anyone can have a domain' };
  if (FREE_MAIL.has(registrable)) return { fault: 'must not be of a provider of free mail' };
  return { domain };
}

const TOKEN_BYTES = 20;

/** Creates a value that the TXT record of a domain must have. */
export function newDomainToken(): string {
  return randomBytes(TOKEN_BYTES).toString('hex');
}
