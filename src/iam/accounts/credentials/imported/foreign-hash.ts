import { createCipheriv, timingSafeEqual } from 'node:crypto';
import { findScheme, type HashScheme } from './hash-scheme.js';
import { PORTABLE_ALPHABET, PORTABLE_HASH } from './portable-crypt.js';

/** A password hash that another system has made. */
export interface ForeignHash {
  readonly scheme: HashScheme;
  readonly salt: Buffer;
  /** @param derived what the scheme has made of a password with the salt */
  fits(derived: Buffer): boolean;
}

/** The hash is of no known format, is damaged, or costs too much. The text says which. */
export class RefusedHash extends Error {
  override readonly name = 'RefusedHash';
}

/** Longest hash that is looked at. */
const MAX_LENGTH = 1_024;
const MAX_SALT_BYTES = 256;

type Found = readonly [scheme: string, salt: Buffer, expected: Buffer, finish?: (derived: Buffer) => Buffer];

/**
 * Reads a password hash of another system.
 * @throws {RefusedHash}
 */
export function readForeignHash(text: string): ForeignHash {
  if (text.length > MAX_LENGTH) throw new RefusedHash('the password hash is too long');
  const [name, salt, expected, finish = (derived: Buffer) => derived] = find(text);
  const scheme = findScheme(name);
  if (!scheme || salt.length > MAX_SALT_BYTES || expected.length < 16)
    throw new RefusedHash('the parameters of the password hash are not accepted');
  const fits = (derived: Buffer): boolean => {
    const finished = finish(derived);
    return finished.length === expected.length && timingSafeEqual(finished, expected);
  };
  return { scheme, salt, fits };
}

function find(text: string): Found {
  for (const [pattern, read] of FORMATS) {
    const match = pattern.exec(text);
    if (match) return read(...match.slice(1));
  }
  return aspNet(text) ?? refuse();
}

function refuse(): never {
  throw new RefusedHash('the format of the password hash is not known');
}

/** @param groups of the pattern; an optional one can be undefined */
type Reader = (...groups: string[]) => Found;

const B64 = '[A-Za-z0-9+/]+={0,2}';
/** Exports of Firebase have salt and hash in base64url. */
const B64_OR_URL = '[-_A-Za-z0-9+/]+={0,2}';
const HEX = '(?:[0-9a-fA-F]{2})+';
/** The 32 bytes of a wrap; no password fits another length. */
const WRAP = '[A-Za-z0-9+/]{43}=';
/** Alphabet of bcrypt's salts and hashes. */
const BCRYPT = String.raw`\$2[aby]\$(\d\d)\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})`;

const bcryptAs =
  (input: string): Reader =>
  (cost = '', salt = '', hash = '') => [
    `bcrypt.${Number(cost)}.${input}`,
    Buffer.from(canonicalSalt(salt)),
    Buffer.from(`$2b$${cost}$${canonicalSalt(salt)}${hash}`),
  ];

const shaCryptAs =
  (family: string): Reader =>
  (rounds = '5000', salt = '', hash = '') => [`${family}.${rounds}`, Buffer.from(salt), Buffer.from(hash)];

const FORMATS: readonly (readonly [RegExp, Reader])[] = [
  // crypt(3), PHP's `password_hash`, and Django's `bcrypt$`
  [new RegExp(`^(?:bcrypt\\$)?${BCRYPT}$`), bcryptAs('plain')],
  [new RegExp(`^bcrypt_sha256\\$${BCRYPT}$`), bcryptAs('sha256')],
  [new RegExp(`^\\$wp${BCRYPT}$`), bcryptAs('wordpress')],
  // the string format of PHC, and Django's `argon2$`
  [
    new RegExp(
      `^(?:argon2)?\\$(argon2(?:i|d|id))\\$v=19\\$m=(\\d+),t=(\\d+),p=(\\d+)\\$(${B64})\\$(${B64})$`,
    ),
    (name = '', m = '', t = '', p = '', salt = '', hash = '') => {
      const expected = base64(hash);
      return [`${name}.${m}.${t}.${p}.${expected.length}`, argon2Salt(salt), expected];
    },
  ],
  // PHC and passlib
  [
    new RegExp(`^\\$scrypt\\$ln=(\\d{1,2}),r=(\\d+),p=(\\d+)\\$(${B64})\\$(${B64})$`),
    (ln = '', r = '', p = '', salt = '', hash = '') =>
      scryptFound(2 ** Number(ln), r, p, base64(salt), base64(hash)),
  ],
  // Django
  [
    new RegExp(`^scrypt\\$(\\d+)\\$([^$]+)\\$(\\d+)\\$(\\d+)\\$(${B64})$`),
    (n = '', salt = '', r = '', p = '', hash = '') =>
      scryptFound(Number(n), r, p, Buffer.from(salt), base64(hash)),
  ],
  // Werkzeug
  [
    new RegExp(`^scrypt:(\\d+):(\\d+):(\\d+)\\$([^$]+)\\$(${HEX})$`),
    (n = '', r = '', p = '', salt = '', hash = '') =>
      scryptFound(Number(n), r, p, Buffer.from(salt), Buffer.from(hash, 'hex')),
  ],
  // Firebase's scrypt, with the parameters of the project:
  // firebase-scrypt$<rounds>$<mem_cost>$<salt separator>$<signer key>$<salt>$<hash>
  [
    new RegExp(
      `^firebase-scrypt\\$(\\d+)\\$(\\d{1,2})\\$(${B64})\\$(${B64})\\$(${B64_OR_URL})\\$(${B64_OR_URL})$`,
    ),
    (rounds = '', memory = '', separator = '', signer = '', salt = '', hash = '') => {
      const salted = Buffer.concat([base64(salt), base64(separator)]);
      const [name] = scryptFound(2 ** Number(memory), rounds, '1', salted, Buffer.alloc(64));
      const finish = (derived: Buffer): Buffer => {
        const cipher = createCipheriv('aes-256-ctr', derived.subarray(0, 32), Buffer.alloc(16));
        return Buffer.concat([cipher.update(base64(signer)), cipher.final()]);
      };
      return [name, salted, base64(hash), finish];
    },
  ],
  // Django
  [
    new RegExp(`^pbkdf2_(sha1|sha256)\\$(\\d+)\\$([^$]+)\\$(${B64})$`),
    (digest = '', iterations = '', salt = '', hash = '') =>
      pbkdf2Found(digest, iterations, Buffer.from(salt), base64(hash)),
  ],
  // passlib, whose base64 has `.` for `+`
  [
    /^\$pbkdf2(?:-(sha256|sha512))?\$(\d+)\$([./A-Za-z0-9]+)\$([./A-Za-z0-9]+)$/,
    (digest = 'sha1', iterations = '', salt = '', hash = '') =>
      pbkdf2Found(digest, iterations, base64(salt.replaceAll('.', '+')), base64(hash.replaceAll('.', '+'))),
  ],
  // Werkzeug
  [
    new RegExp(`^pbkdf2:(sha1|sha256|sha512):(\\d+)\\$([^$]+)\\$(${HEX})$`),
    (digest = '', iterations = '', salt = '', hash = '') =>
      pbkdf2Found(digest, iterations, Buffer.from(salt), Buffer.from(hash, 'hex')),
  ],
  // phpass, as earlier releases stored it
  [
    PORTABLE_HASH,
    (_prefix = '', cost = '', salt = '', hash = '') => [
      `phpass.${PORTABLE_ALPHABET.indexOf(cost)}`,
      Buffer.from(salt),
      Buffer.from(hash),
    ],
  ],
  // the same, as an import wraps it and an export writes it:
  // $phpass+scrypt$ln=<log2 of N>,r=<r>$<cost and salt of phpass>$<hash>; phpasswp of WordPress
  [
    new RegExp(
      String.raw`^\$(phpass|phpasswp)\+scrypt\$ln=(\d{1,2}),r=(\d)\$([./A-Za-z0-9])(.{8})\$(${WRAP})$`,
    ),
    (name = '', ln = '', r = '', cost = '', salt = '', hash = '') =>
      wrappedFound(`${name}.${PORTABLE_ALPHABET.indexOf(cost)}`, ln, r, Buffer.from(salt), base64(hash)),
  ],
  // other weak digests in their wrap: $<digest>+scrypt$ln=<log2 of N>,r=<r>$<salt>$<hash>
  [
    new RegExp(
      String.raw`^\$((?:md5|sha1|sha256|sha512|md5crypt)\.[a-z]+)\+scrypt\$ln=(\d{1,2}),r=(\d)\$([A-Za-z0-9+/]*={0,2})\$(${WRAP})$`,
    ),
    (digest = '', ln = '', r = '', salt = '', hash = '') =>
      wrappedFound(digest, ln, r, base64(salt), base64(hash)),
  ],
  // crypt(3) with SHA-256 and SHA-512
  [/^\$5\$(?:rounds=(\d+)\$)?([^$]{0,16})\$([./A-Za-z0-9]{43})$/, shaCryptAs('sha256crypt')],
  [/^\$6\$(?:rounds=(\d+)\$)?([^$]{0,16})\$([./A-Za-z0-9]{86})$/, shaCryptAs('sha512crypt')],
];

const scryptFound = (n: number, r: string, p: string, salt: Buffer, hash: Buffer): Found => [
  `scrypt.${n}.${r}.${p}.${hash.length}`,
  salt,
  hash,
];

const wrappedFound = (digest: string, ln: string, r: string, salt: Buffer, hash: Buffer): Found => [
  `${digest}.${2 ** Number(ln)}.${r}`,
  salt,
  hash,
];

const pbkdf2Found = (digest: string, iterations: string, salt: Buffer, hash: Buffer): Found => [
  `pbkdf2.${digest}.${iterations}.${hash.length}`,
  salt,
  hash,
];

/** ASP.NET Core Identity: base64 of a format byte and what belongs to it. */
function aspNet(text: string): Found | null {
  if (!new RegExp(`^${B64}$`).test(text)) return null;
  const bytes = base64(text);
  if (bytes[0] === 0 && bytes.length === 49)
    return pbkdf2Found('sha1', '1000', bytes.subarray(1, 17), bytes.subarray(17));
  if (bytes[0] !== 1 || bytes.length < 13) return null;
  const digest = ['sha1', 'sha256', 'sha512'][bytes.readUInt32BE(1)];
  const end = 13 + bytes.readUInt32BE(9);
  if (digest === undefined || end > bytes.length) return null;
  return pbkdf2Found(digest, String(bytes.readUInt32BE(5)), bytes.subarray(13, end), bytes.subarray(end));
}

/** Argon2 refuses a shorter salt (RFC 9106 section 3.1). */
function argon2Salt(text: string): Buffer {
  const salt = base64(text);
  if (salt.length < 8) throw new RefusedHash('the salt of the password hash is too short');
  return salt;
}

/** The last character of a salt has two bits that count; implementations write the others as 0. */
function canonicalSalt(salt: string): string {
  const last = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'.indexOf(salt.slice(21));
  return salt.slice(0, 21) + '.Oeu'.charAt(last >> 4);
}

const base64 = (text: string): Buffer => Buffer.from(text, 'base64');
