import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Characters of the encoding of crypt(3), by value; the cost of a hash is one of them. */
export const PORTABLE_ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Hash of phpass, with prefix, cost, salt and digest: of WordPress before 6.8, and phpBB. */
export const PORTABLE_HASH = /^\$([PH])\$([./A-Za-z0-9])(.{8})([./A-Za-z0-9]{22})$/;
/** Rounds between two turns of the event loop: about a millisecond. */
const ROUNDS_PER_TURN = 1_000;

/**
 * Computes the portable hash of phpass (`$P$`, `$H$`), as WordPress before 6.8 and phpBB
 * have it. Gives way to other work between rounds.
 * @returns the encoded hash, without its prefix and salt
 */
export async function portableCrypt(password: Buffer, salt: Buffer, rounds: number): Promise<string> {
  const md5 = (bytes: Buffer): Buffer => createHash('md5').update(bytes).update(password).digest();
  let result = md5(salt);
  for (let round = 1; round <= rounds; round += 1) {
    result = md5(result);
    if (round % ROUNDS_PER_TURN === 0) await nextTurn();
  }
  return encoded(result);
}

/** Encodes a number as crypt(3) does, the lowest six bits first. */
export const charsOf = (value: number, count: number): string =>
  Array.from({ length: count }, (_, n) => PORTABLE_ALPHABET.charAt((value >> (6 * n)) & 63)).join('');

/** Encodes groups of three bytes. */
function encoded(bytes: Buffer): string {
  let chars = '';
  for (let start = 0; start < bytes.length; start += 3) {
    const group = bytes.subarray(start, start + 3);
    const value = group.reduce((sum, byte, index) => sum | (byte << (8 * index)), 0);
    chars += charsOf(value, group.length + 1);
  }
  return chars;
}

/** Removes what PHP's `trim` removes. */
export const phpTrim = (password: string): string =>
  // eslint-disable-next-line no-control-regex -- these characters are meant
  password.replace(/^[ \t\n\r\0\x0b]+|[ \t\n\r\0\x0b]+$/g, '');
