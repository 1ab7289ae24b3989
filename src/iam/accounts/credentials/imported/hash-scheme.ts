import { argon2, createHmac, hash, pbkdf2, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import bcrypt from 'bcrypt';
import { phpTrim } from './portable-crypt.js';
import { shaCrypt } from './sha-crypt.js';
import { findWeakDigest } from './weak-digest.js';
import { wrapOf } from './wrapped-hash.js';

/**
 * A way to hash passwords, with its cost. Two hashes of one scheme take the same time, whatever
 * their salts.
 */
export interface HashScheme {
  /** Name with the parameters, such as `pbkdf2.sha256.600000.32`: by it, the scheme is found. */
  readonly name: string;
  /** Estimated time on one core. */
  readonly milliseconds: number;
  /** Salt of the length that is usual, to hash where there is no stored hash. */
  readonly decoySalt: Buffer;
  /** Schemes that differ in their rounds only; null if the cost has no rounds. */
  readonly series: RoundSeries | null;
  /** @param rounds in place of the scheme's, to take the time of others of its series */
  derive(password: string, salt: Buffer, rounds?: number): Promise<Buffer>;
}

interface RoundSeries {
  readonly name: string;
  readonly rounds: number;
}

/**
 * Maximum of {@link HashScheme.milliseconds}: what a sign-in may wait for. The default of passlib
 * for `$6$`, 656,000 rounds, takes 2.2 s.
 */
const MAX_MS = 2_500;
/** Maximum memory of one hash. */
const MAX_BYTES = 256 * 1024 ** 2;
const MAX_BCRYPT_COST = 14;
const MAX_PBKDF2_ITERATIONS = 2_000_000;
const MAX_SCRYPT_N = 2 ** 20;
const MAX_ARGON2_PASSES = 10;
const MAX_ARGON2_LANES = 16;
const MAX_SHA_CRYPT_ROUNDS = 750_000;
/** Shorter stored hashes could fit a wrong password; longer ones multiply the cost. */
const MIN_KEY_BYTES = 16;
const MAX_KEY_BYTES = 64;

const DECOY_SALT = Buffer.alloc(16, 1);

/** What the input of bcrypt is made of, where it is not the password itself. */
const BCRYPT_INPUTS: Readonly<Record<string, (password: string) => string>> = {
  plain: (password) => password,
  /** Django's `bcrypt_sha256`. */
  sha256: (password) => hash('sha256', password, 'hex'),
  /** WordPress from 6.8 on, which removes white space around the password as well. */
  wordpress: (password) => createHmac('sha384', 'wp-sha384').update(phpTrim(password)).digest('base64'),
};

const DIGEST_BYTES: Readonly<Record<string, number>> = { sha1: 20, sha256: 32, sha512: 64 };

const pbkdf2Of = promisify(pbkdf2);
const scryptOf = promisify<string, Buffer, number, object, Buffer>(scrypt);
const argon2Of = promisify(argon2);

/** Schemes that were found: the hashes of an import have few. */
const found = new Map<string, HashScheme>();
const MAX_FOUND = 64;

/**
 * Finds a scheme by its name.
 * @returns null if there is none, or it costs more time or memory than a sign-in may
 */
export function findScheme(name: string): HashScheme | null {
  const known = found.get(name);
  if (known) return known;
  const scheme = readScheme(name);
  if (scheme && found.size < MAX_FOUND) found.set(name, scheme);
  return scheme;
}

function readScheme(name: string): HashScheme | null {
  const [family = '', ...parameters] = name.split('.');
  const scheme = Object.hasOwn(FAMILIES, family) ? FAMILIES[family]?.(...parameters) : undefined;
  return scheme && scheme.milliseconds <= MAX_MS ? { ...scheme, name } : null;
}

type Family = (...parameters: readonly string[]) => Omit<HashScheme, 'name'> | null;

/** Families by name. Each checks its bounds: a stored name may be anyone's. */
const FAMILIES: Readonly<Record<string, Family>> = {
  bcrypt: (cost, input = '') => {
    const rounds = countOf(cost, MAX_BCRYPT_COST);
    const inputOf = Object.hasOwn(BCRYPT_INPUTS, input) ? BCRYPT_INPUTS[input] : undefined;
    if (rounds < 4 || !inputOf) return null;
    const settings = `$2b$${String(rounds).padStart(2, '0')}$`;
    return {
      milliseconds: 2 ** rounds / 16,
      series: null,
      decoySalt: Buffer.from('.'.repeat(22)),
      derive: async (password, salt) =>
        Buffer.from(await bcrypt.hash(inputOf(password), settings + salt.toString('latin1'))),
    };
  },
  pbkdf2: (digest = '', iterations, length) => {
    const [rounds, bytes] = [countOf(iterations, MAX_PBKDF2_ITERATIONS), keyBytesOf(length)];
    const block = Object.hasOwn(DIGEST_BYTES, digest) ? DIGEST_BYTES[digest] : undefined;
    if (!rounds || !bytes || !block) return null;
    return {
      milliseconds: (rounds * Math.ceil(bytes / block)) / (digest === 'sha512' ? 1_000 : 2_000),
      decoySalt: DECOY_SALT,
      series: { name: `pbkdf2.${digest}.${bytes}`, rounds },
      derive: (password, salt, count = rounds) => pbkdf2Of(password, salt, count, bytes, digest),
    };
  },
  scrypt: (n, r, p, length) => {
    const [N, blocks, lanes] = [countOf(n, MAX_SCRYPT_N), countOf(r, 64), countOf(p, 64)];
    const bytes = keyBytesOf(length);
    if (N < 2 || (N & (N - 1)) !== 0 || !blocks || !lanes || !bytes) return null;
    if (128 * N * blocks > MAX_BYTES) return null;
    const options = { N, r: blocks, p: lanes, maxmem: 2 * MAX_BYTES };
    return {
      milliseconds: (N * blocks * lanes) / 3_000,
      series: null,
      decoySalt: DECOY_SALT,
      derive: (password, salt) => scryptOf(password, salt, bytes, options),
    };
  },
  argon2d: (...parameters) => argon2Scheme('argon2d', parameters),
  argon2i: (...parameters) => argon2Scheme('argon2i', parameters),
  argon2id: (...parameters) => argon2Scheme('argon2id', parameters),
  phpass: (log2, ...cost) => weakScheme(`phpass.${log2}`, cost),
  phpasswp: (log2, ...cost) => wrappedScheme(`phpasswp.${log2}`, cost),
  md5crypt: (kind, ...cost) => wrappedScheme(`md5crypt.${kind}`, cost),
  md5: (order, ...cost) => wrappedScheme(`md5.${order}`, cost),
  sha1: (order, ...cost) => wrappedScheme(`sha1.${order}`, cost),
  sha256: (order, ...cost) => wrappedScheme(`sha256.${order}`, cost),
  sha512: (order, ...cost) => wrappedScheme(`sha512.${order}`, cost),
  sha256crypt: (rounds) => shaCryptScheme('sha256', rounds),
  sha512crypt: (rounds) => shaCryptScheme('sha512', rounds),
};

/** A weak digest as earlier releases stored it, without a wrap, or in one. */
function weakScheme(name: string, cost: readonly string[]): ReturnType<Family> {
  if (cost.length > 0) return wrappedScheme(name, cost);
  const digest = findWeakDigest(name);
  if (!digest) return null;
  const { milliseconds, decoySalt, rounds } = digest;
  return {
    milliseconds,
    decoySalt,
    series: rounds === null ? null : { name: 'phpass', rounds },
    derive: async (password, salt, count) => Buffer.from(await digest.compute(password, salt, count)),
  };
}

/** A weak digest in its wrap of scrypt. */
function wrappedScheme(name: string, [n, r]: readonly string[]): ReturnType<Family> {
  const [digest, N, blocks] = [findWeakDigest(name), countOf(n, MAX_SCRYPT_N), countOf(r, 64)];
  if (!digest || N < 2 || (N & (N - 1)) !== 0 || !blocks || 128 * N * blocks > MAX_BYTES) return null;
  return {
    milliseconds: digest.milliseconds + (N * blocks) / 3_000,
    decoySalt: digest.decoySalt,
    series:
      digest.rounds === null
        ? null
        : { name: `${name.split('.', 1)[0]}.${N}.${blocks}`, rounds: digest.rounds },
    derive: async (password, salt, count) =>
      wrapOf(await digest.compute(password, salt, count), salt, N, blocks),
  };
}

function argon2Scheme(
  algorithm: 'argon2d' | 'argon2i' | 'argon2id',
  [m, t, p, length]: readonly string[],
): ReturnType<Family> {
  const memory = countOf(m, MAX_BYTES / 1024);
  const [passes, parallelism] = [countOf(t, MAX_ARGON2_PASSES), countOf(p, MAX_ARGON2_LANES)];
  const tagLength = keyBytesOf(length);
  if (!passes || !parallelism || !tagLength || memory < 8 * parallelism) return null;
  return {
    milliseconds: (memory * passes) / 1_000,
    series: null,
    decoySalt: DECOY_SALT,
    derive: (message, nonce) =>
      argon2Of(algorithm, { message, nonce, memory, passes, parallelism, tagLength }),
  };
}

function shaCryptScheme(digest: 'sha256' | 'sha512', rounds: string | undefined): ReturnType<Family> {
  const count = countOf(rounds, MAX_SHA_CRYPT_ROUNDS);
  if (count < 1_000) return null;
  return {
    milliseconds: count / 300,
    decoySalt: DECOY_SALT,
    series: { name: `${digest}crypt`, rounds: count },
    derive: async (password, salt, some = count) =>
      Buffer.from(await shaCrypt(digest, Buffer.from(password), salt, some)),
  };
}

/** Reads a whole number. @returns 0 if it is none, or above the maximum */
function countOf(text: string | undefined, max: number): number {
  const value = /^[1-9]\d{0,9}$/.test(text ?? '') ? Number(text) : 0;
  return value <= max ? value : 0;
}

function keyBytesOf(text: string | undefined): number {
  const bytes = countOf(text, MAX_KEY_BYTES);
  return bytes >= MIN_KEY_BYTES ? bytes : 0;
}
