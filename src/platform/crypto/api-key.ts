import { randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyPurpose } from '../../kernel/index.js';
import type { KeyDerivation } from './key-derivation.js';

/**
 * Kinds of keys: of a service account, its client secret at the token endpoint, of a person, of a
 * directory (SCIM), of a link by which an administrator sets up a connection, of a worker's badge.
 */
export type ApiKeyKind = 'sa' | 'cs' | 'me' | 'scim' | 'setup' | 'bd';

/** What a key in the right spelling says of itself, before its hash is compared. */
export interface ParsedApiKey {
  readonly kind: ApiKeyKind;
  /** Public part, by which the key is looked up. */
  readonly id: string;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 10;
/** Characters: 190 random bits, so that a fast hash suffices. */
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

/**
 * Published pattern of keys, for scanners of source code. Without anchors: a scanner searches in
 * texts.
 */
export const API_KEY_PATTERN = 'gh_(?:sa|cs|me|scim|setup|bd)_[0-9A-Za-z]{10}_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}';

const SPELLING = /^gh_(sa|cs|me|scim|setup|bd)_([0-9A-Za-z]{10})_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/;

/**
 * Creates a key `gh_<kind>_<id>_<secret>_<checksum>`. It is shown once; only its id and its hash
 * are stored.
 */
export function createApiKey(kind: ApiKeyKind): { readonly id: string; readonly plainKey: string } {
  const id = randomText(ID_LENGTH);
  const text = `gh_${kind}_${id}_${randomText(SECRET_LENGTH)}`;
  return { id, plainKey: `${text}_${checksumOf(text)}` };
}

/**
 * Reads the kind and the id of a key. The checksum, a CRC32 of all that stands before it, refuses
 * a misspelled key without a statement; it proves nothing.
 * @returns null for any other text
 */
export function parseApiKey(text: string): ParsedApiKey | null {
  const found = SPELLING.exec(text);
  if (!found) return null;
  const end = text.length - CHECKSUM_LENGTH;
  if (text.slice(end) !== checksumOf(text.slice(0, end - 1))) return null;
  return { kind: found[1] as ApiKeyKind, id: found[2] ?? '' };
}

/** Returns whether a text begins as keys do, so that it is refused as one if it is misspelled. */
export function resemblesApiKey(text: string): boolean {
  return text.startsWith('gh_');
}

/** Hashes a key for storage: HMAC-SHA-256 under the current subkey of the purpose. */
export function hashApiKey(keys: KeyDerivation, purpose: KeyPurpose, plainKey: string): Buffer {
  return keys.subkeys(purpose)[0].mac.of(plainKey);
}

/**
 * Returns the hashes of a key under all subkeys of the purpose, the current one first, to look it
 * up by its hash: rows written before the root secret was changed have the previous one.
 */
export function hashesOfApiKey(keys: KeyDerivation, purpose: KeyPurpose, plainKey: string): Buffer[] {
  return keys.subkeys(purpose).map(({ mac }) => mac.of(plainKey));
}

/**
 * Compares a presented key with a stored hash in constant time, also with a hash of before the
 * root secret was changed.
 */
export function isApiKeyOf(
  keys: KeyDerivation,
  purpose: KeyPurpose,
  plainKey: string,
  storedHash: Buffer,
): boolean {
  return keys.subkeys(purpose).some(({ mac }) => {
    const hash = mac.of(plainKey);
    return hash.length === storedHash.length && timingSafeEqual(hash, storedHash);
  });
}

function randomText(length: number): string {
  let text = '';
  while (text.length < length) text += BASE62.charAt(randomInt(BASE62.length));
  return text;
}

/** CRC32 in base62, most significant digit first, padded to six characters. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let n = 0; n < CHECKSUM_LENGTH; n++) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}
