import { randomInt } from 'node:crypto';

/** Crockford's base 32: no letter looks like another one or like a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Characters of a code: 50 bits. */
const LENGTH = 10;
/** Codes of a set. */
const CODES = 10;

/** Creates a set of recovery codes, such as `7GX2M-9KQ4T`. */
export function createRecoveryCodes(): string[] {
  const createCode = () =>
    Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: CODES }, createCode).map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
}

/** Returns a code as it was created, however a person has typed it. */
export function normalizeRecoveryCode(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
}
