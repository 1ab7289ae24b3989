import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { charsOf } from './portable-crypt.js';

/** Texts that stand in front of the hash, and are part of what is hashed. */
export const MD5_CRYPT_PREFIXES = { crypt: '$1$', apache: '$apr1$' } as const;
export type Md5CryptKind = keyof typeof MD5_CRYPT_PREFIXES;

const ROUNDS = 1_000;
/** Order in which the bytes of the digest are encoded, the highest of three first. */
const ORDER = [
  [0, 6, 12],
  [1, 7, 13],
  [2, 8, 14],
  [3, 9, 15],
  [4, 10, 5],
] as const;
const LAST = 11;

/**
 * Computes the hash of crypt(3) with MD5, as FreeBSD made it and Apache's `htpasswd` has it under
 * another prefix. Lets other work run before its rounds, which take about a millisecond.
 * @returns the encoded hash, without its prefix and salt
 */
export async function md5Crypt(kind: Md5CryptKind, password: Buffer, salt: Buffer): Promise<string> {
  const other = md5(password, salt, password);
  const first: Buffer[] = [password, Buffer.from(MD5_CRYPT_PREFIXES[kind]), salt];
  for (let left = password.length; left > 0; left -= other.length) first.push(other.subarray(0, left));
  for (let length = password.length; length > 0; length >>= 1)
    first.push((length & 1) === 1 ? Buffer.alloc(1) : password.subarray(0, 1));
  let result = md5(...first);
  await nextTurn();
  for (let round = 0; round < ROUNDS; round += 1) {
    const [start, end] = (round & 1) === 1 ? [password, result] : [result, password];
    const salted = round % 3 === 0 ? [] : [salt];
    const repeated = round % 7 === 0 ? [] : [password];
    result = md5(start, ...salted, ...repeated, end);
  }
  return encoded(result);
}

function md5(...parts: readonly Buffer[]): Buffer {
  const state = createHash('md5');
  for (const part of parts) state.update(part);
  return state.digest();
}

function encoded(bytes: Buffer): string {
  const at = (index: number): number => bytes[index] ?? 0;
  const groups = ORDER.map(([high, middle, low]) =>
    charsOf((at(high) << 16) | (at(middle) << 8) | at(low), 4),
  );
  return groups.join('') + charsOf(at(LAST), 2);
}
