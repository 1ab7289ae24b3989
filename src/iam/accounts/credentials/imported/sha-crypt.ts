import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { charsOf } from './portable-crypt.js';

/** Rounds between two turns of the event loop: about a millisecond. */
const ROUNDS_PER_TURN = 500;

/** Order in which the bytes of the digest are encoded, in groups of three. */
const ORDER = {
  sha256: [
    [0, 10, 20],
    [21, 1, 11],
    [12, 22, 2],
    [3, 13, 23],
    [24, 4, 14],
    [15, 25, 5],
    [6, 16, 26],
    [27, 7, 17],
    [18, 28, 8],
    [9, 19, 29],
  ],
  sha512: Array.from({ length: 21 }, (_, n) =>
    [
      [0, 21, 42],
      [22, 43, 1],
      [44, 2, 23],
    ].flatMap((first, turn) => (n % 3 === turn ? first.map((byte) => byte + 3 * Math.floor(n / 3)) : [])),
  ),
} as const;
/** The last bytes, which make no group of three. */
const REST = { sha256: [-1, 31, 30], sha512: [-1, -1, 63] } as const;

export type ShaCryptDigest = keyof typeof ORDER;

/**
 * Computes the hash of crypt(3) with SHA-256 or SHA-512 (U. Drepper, "Unix crypt using SHA-256 and
 * SHA-512"). Gives way to other work between rounds.
 * @returns the encoded hash, without its prefix and salt
 */
export async function shaCrypt(
  digest: ShaCryptDigest,
  password: Buffer,
  salt: Buffer,
  rounds: number,
): Promise<string> {
  const hash = (...parts: readonly Buffer[]): Buffer => {
    const state = createHash(digest);
    for (const part of parts) state.update(part);
    return state.digest();
  };
  const other = hash(password, salt, password);
  const first = [password, salt, stretched(other, password.length)];
  for (let length = password.length; length > 0; length >>= 1)
    first.push((length & 1) === 1 ? other : password);
  let result = hash(...first);
  const p = stretched(hash(...Array.from({ length: password.length }, () => password)), password.length);
  const repeats = 16 + (result[0] ?? 0);
  const s = stretched(hash(...Array.from({ length: repeats }, () => salt)), salt.length);
  for (let round = 0; round < rounds; round += 1) {
    const odd = round % 2 === 1;
    const parts = [odd ? p : result];
    if (round % 3 !== 0) parts.push(s);
    if (round % 7 !== 0) parts.push(p);
    parts.push(odd ? result : p);
    result = hash(...parts);
    if (round % ROUNDS_PER_TURN === ROUNDS_PER_TURN - 1) await nextTurn();
  }
  return encoded(digest, result);
}

/** Repeats bytes up to a length. */
const stretched = (bytes: Buffer, length: number): Buffer => Buffer.alloc(length, bytes);

function encoded(digest: ShaCryptDigest, bytes: Buffer): string {
  const at = (index = -1): number => bytes[index] ?? 0;
  const valueOf = ([a, b, c]: readonly number[]): number => (at(a) << 16) | (at(b) << 8) | at(c);
  const groups = ORDER[digest].map((group) => charsOf(valueOf(group), 4));
  return groups.join('') + charsOf(valueOf(REST[digest]), digest === 'sha256' ? 3 : 2);
}
