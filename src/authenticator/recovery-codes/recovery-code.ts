import { randomInt } from 'node:crypto';
import { normalizeTypedCode } from '../typed-code.js';

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

/** Returns a code as it is stored, without its hyphen, however a person has typed it. */
export function normalizeRecoveryCode(typed: string): string {
  return normalizeTypedCode(typed).replaceAll('O', '0').replace(/[IL]/g, '1');
}

/** Returns whether a normalized code can be one of a set. */
export function isRecoveryCode(code: string): boolean {
  return code.length === LENGTH && [...code].every((character) => ALPHABET.includes(character));
}
