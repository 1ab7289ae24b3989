import { randomInt } from 'node:crypto';

/** Consonants: no code is a word, and no letter looks like a digit (RFC 8628 section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** Creates a code of eight letters, of 34 bits, that a person reads from one screen and enters. */
export function createUserCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** Returns a code as it is shown: `WDJB-MJHT`. */
export const formatUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/** Returns the code that a person has entered, in any case, with any separators. */
export const readUserCode = (entered: string): string =>
  entered
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^A-Z]/g, '');
