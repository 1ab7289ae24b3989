import { createHash } from 'node:crypto';
import { MD5_CRYPT_PREFIXES, md5Crypt } from './md5-crypt.js';
import { PORTABLE_ALPHABET, PORTABLE_HASH, phpTrim, portableCrypt } from './portable-crypt.js';

/** A way to hash passwords that is so fast or so old that its digest is stored in a wrap alone. */
export interface WeakDigest {
  /** Estimated time on one core. */
  readonly milliseconds: number;
  /** Salt of the length that is usual, to hash where there is no stored hash. */
  readonly decoySalt: Buffer;
  /** null if its cost has no rounds. */
  readonly rounds: number | null;
  /** @param rounds in place of its own, to take the time of others */
  compute(password: string, salt: Buffer, rounds?: number): Promise<string>;
}

/** A weak hash, as another system has written it. */
export interface WeakHash {
  /** Name of the digest with its parameters, such as `sha1.after`. */
  readonly name: string;
  readonly salt: Buffer;
  /** What {@link WeakDigest.compute} returns for the right password. */
  readonly digest: string;
}

/** The default of passlib, 0.9 seconds. */
const MAX_PHPASS_ROUNDS = 2 ** 19;
const DIGEST_BYTES: Readonly<Record<string, number>> = { md5: 16, sha1: 20, sha256: 32, sha512: 64 };

/**
 * Finds a weak digest by its name.
 * @returns null if there is none, or it costs more than a sign-in may
 */
export function findWeakDigest(name: string): WeakDigest | null {
  const [family = '', parameter = ''] = name.split('.');
  if (family === 'phpass') return phpassDigest(parameter, (password) => password);
  // WordPress removes white space around a password before it is hashed or compared.
  if (family === 'phpasswp') return phpassDigest(parameter, phpTrim);
  if (family === 'md5crypt') {
    if (!isMd5CryptKind(parameter)) return null;
    return {
      milliseconds: 1.5,
      rounds: null,
      decoySalt: Buffer.alloc(8, '.'),
      compute: async (password, salt) => md5Crypt(parameter, Buffer.from(password), salt),
    };
  }
  if (!Object.hasOwn(DIGEST_BYTES, family) || !/^(?:before|after)$/.test(parameter)) return null;
  const parts = (password: string, salt: Buffer): Buffer[] =>
    parameter === 'before' ? [salt, Buffer.from(password)] : [Buffer.from(password), salt];
  return {
    milliseconds: 0.1,
    rounds: null,
    decoySalt: Buffer.alloc(8, 1),
    compute: (password, salt) =>
      Promise.resolve(
        createHash(family)
          .update(Buffer.concat(parts(password, salt)))
          .digest('hex'),
      ),
  };
}

function phpassDigest(parameter: string, inputOf: (password: string) => string): WeakDigest | null {
  const rounds = /^\d{1,2}$/.test(parameter) ? 2 ** Number(parameter) : 0;
  if (rounds < 128 || rounds > MAX_PHPASS_ROUNDS) return null;
  return {
    milliseconds: rounds / 600,
    rounds,
    decoySalt: Buffer.alloc(8, '.'),
    compute: (password, salt, count = rounds) => portableCrypt(Buffer.from(inputOf(password)), salt, count),
  };
}

const isMd5CryptKind = (text: string): text is keyof typeof MD5_CRYPT_PREFIXES =>
  Object.hasOwn(MD5_CRYPT_PREFIXES, text);

const FORMATS: readonly (readonly [RegExp, (...groups: string[]) => WeakHash | null])[] = [
  [
    PORTABLE_HASH,
    (prefix = '', cost = '', salt = '', digest = '') => ({
      name: `${prefix === 'P' ? 'phpasswp' : 'phpass'}.${PORTABLE_ALPHABET.indexOf(cost)}`,
      salt: Buffer.from(salt),
      digest,
    }),
  ],
  // crypt(3) with MD5, and Apache's
  [
    /^\$(1|apr1)\$([^$]{0,8})\$([./A-Za-z0-9]{22})$/,
    (prefix = '', salt = '', digest = '') => ({
      name: `md5crypt.${prefix === '1' ? 'crypt' : 'apache'}`,
      salt: Buffer.from(salt),
      digest,
    }),
  ],
  // LDAP: the salt stands behind the digest (RFC 2307 section 5.3, and as OpenLDAP extends it)
  [
    /^\{S?(MD5|SHA|SHA256|SHA512)\}([A-Za-z0-9+/]+={0,2})$/i,
    (scheme = '', encoded = '') => {
      const name = scheme.toLowerCase() === 'sha' ? 'sha1' : scheme.toLowerCase();
      const [bytes, length] = [Buffer.from(encoded, 'base64'), DIGEST_BYTES[name] ?? 0];
      return weakHash(`${name}.after`, bytes.subarray(length), bytes.toString('hex', 0, length));
    },
  ],
  // Django before 5.1, and its way for other digests: the salt in front of the password
  [
    /^(md5|sha1|sha256|sha512)\$([^$]*)\$([0-9a-fA-F]+)$/,
    (name = '', salt = '', digest = '') =>
      weakHash(`${name}.before`, Buffer.from(salt), digest.toLowerCase()),
  ],
  // without a salt
  [
    /^([0-9a-f]+)$/i,
    (digest = '') => {
      const name = Object.keys(DIGEST_BYTES).find((key) => DIGEST_BYTES[key] === digest.length / 2);
      return name === undefined ? null : weakHash(`${name}.before`, Buffer.alloc(0), digest.toLowerCase());
    },
  ],
];

/** @returns null for a digest of another length, which no password could fit */
function weakHash(name: string, salt: Buffer, digest: string): WeakHash | null {
  const bytes = DIGEST_BYTES[name.split('.', 1)[0] ?? ''];
  return digest.length / 2 === bytes ? { name, salt, digest } : null;
}

/** Reads a weak hash. @returns null if the text is of another format */
export function readWeakHash(text: string): WeakHash | null {
  for (const [pattern, read] of FORMATS) {
    const match = pattern.exec(text);
    if (match) return read(...match.slice(1));
  }
  return null;
}
