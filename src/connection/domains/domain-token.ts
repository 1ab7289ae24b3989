import { randomBytes } from 'node:crypto';

const TOKEN_BYTES = 20;

/** Creates a value that the TXT record of a domain must have. */
export function newDomainToken(): string {
  return randomBytes(TOKEN_BYTES).toString('hex');
}
