import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';

const scryptOf = promisify<string, string, number, object, Buffer>(scrypt);

/** Portable hash of phpass, which is MD5. */
const WEAK = /^\$[PH]\$([./A-Za-z0-9])(.{8})([./A-Za-z0-9]{22})$/;
/**
 * Cost of the wrap: 1 MiB and three milliseconds, so that an import does some hundred a second on
 * one core. The first sign-in replaces it by the cost of every other password.
 */
const LOG2_N = 10;
const BLOCKS = 8;
const KEY_BYTES = 32;

/** Computes the wrap of a weak digest. */
export function wrapOf(digest: string, salt: string, n: number, blocks: number): Promise<Buffer> {
  return scryptOf(digest, salt, KEY_BYTES, { N: n, r: blocks, p: 1, maxmem: 256 * n * blocks });
}

/**
 * Wraps a hash whose digest is weak into scrypt, so that the digest is stored nowhere, and its
 * password costs more to guess, also for a thief of database and root secret.
 * @returns the hash itself if it is not weak
 */
export async function wrapWeakHash(text: string): Promise<string> {
  const [, cost = '', salt = '', digest] = WEAK.exec(text) ?? [];
  if (digest === undefined) return text;
  const wrap = await wrapOf(digest, salt, 2 ** LOG2_N, BLOCKS);
  return `$phpass+scrypt$ln=${LOG2_N},r=${BLOCKS}$${cost}${salt}$${wrap.toString('base64')}`;
}
