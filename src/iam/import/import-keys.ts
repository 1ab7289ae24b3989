import type { UserId } from '../../kernel/index.js';
import { type KeyDerivation, keyedHashes } from '../../platform/crypto/index.js';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Two characters for each number of ten bits. */
const PAIRS = Array.from({ length: 1_024 }, (_, n) => CROCKFORD.charAt(n >> 5) + CROCKFORD.charAt(n & 31));
/** Start of the ids of accounts that were imported before the column: their key follows it. */
const FORMER_START = '0000000000';

/**
 * Derives the import keys of an account from the person's id in the other system: a second run
 * finds it by them, an erased one too, and none of them tells that id. They are no ids of accounts:
 * those are in order of time, so that an import appends to the indexes that contain them.
 * @returns the current key; then those under former root secrets
 */
export function importKeysOf(keys: KeyDerivation, externalId: string): [string, ...string[]] {
  const [current, ...previous] = keyedHashes(keys, 'imported-account', externalId);
  return [write(current), ...previous.map(write)];
}

/** Writes the first 80 bits of a hash. */
function write(hash: Buffer): string {
  return writeHalf(hash.readUIntBE(0, 5)) + writeHalf(hash.readUIntBE(5, 5));
}

/** Writes 40 bits. Their upper and lower halves are whole numbers of 32 bits, which `>>` takes. */
function writeHalf(bits: number): string {
  const [upper, lower] = [Math.floor(bits / 2 ** 20), bits % 2 ** 20];
  return [upper >> 10, upper & 1_023, lower >> 10, lower & 1_023].map((ten) => PAIRS[ten]).join('');
}

/** First id that no account has which was imported before the column. */
export const FORMER_END = '0000000001';

/** Returns the id that an account with the key got before accounts had the column. */
export const formerIdOf = (importKey: string): string => `${FORMER_START}${importKey}`;

/** Returns the import key of an account; null if it was not imported from another system. */
export function importKeyOf({ id, importKey }: { readonly id: UserId; readonly importKey: string | null }) {
  if (importKey !== null) return importKey;
  return id.startsWith(FORMER_START) ? id.slice(FORMER_START.length) : null;
}
