import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { PORTABLE_ALPHABET } from './portable-crypt.js';
import { readWeakHash, type WeakHash } from './weak-digest.js';

const scryptOf = promisify<string, Buffer, number, object, Buffer>(scrypt);

/**
 * Cost of the wrap: 1 MiB and three milliseconds, so that an import does some hundred a second on
 * one core. The first sign-in replaces it by the cost of every other password.
 */
const LOG2_N = 10;
const BLOCKS = 8;
const KEY_BYTES = 32;

/** Computes the wrap of a weak digest. */
export function wrapOf(digest: string, salt: Buffer, n: number, blocks: number): Promise<Buffer> {
  return scryptOf(digest, salt, KEY_BYTES, { N: n, r: blocks, p: 1, maxmem: 256 * n * blocks });
}

/**
 * Wraps a hash whose digest is weak into scrypt, so that the digest is stored nowhere, and its
 * password costs more to guess, also for a thief of database and root secret.
 * @returns the hash itself, at once, if it is not weak
 */
export function wrapWeakHash(text: string): string | Promise<string> {
  const weak = readWeakHash(text);
  return weak ? wrap(weak) : text;
}

async function wrap(weak: WeakHash): Promise<string> {
  const wrapped = await wrapOf(weak.digest, weak.salt, 2 ** LOG2_N, BLOCKS);
  const [name, salt] = written(weak);
  return `$${name}+scrypt$ln=${LOG2_N},r=${BLOCKS}$${salt}$${wrapped.toString('base64')}`;
}

/** phpass has its cost and salt as it writes them; the others have their salt in base64. */
function written({ name, salt }: WeakHash): readonly [name: string, salt: string] {
  const [family = '', cost] = name.split('.');
  if (family !== 'phpass' && family !== 'phpasswp') return [name, salt.toString('base64')];
  return [family, PORTABLE_ALPHABET.charAt(Number(cost)) + salt.toString()];
}
