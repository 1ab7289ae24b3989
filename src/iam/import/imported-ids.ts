import type { UserId } from '../../kernel/index.js';
import { type KeyDerivation, keyedHashes } from '../../platform/crypto/index.js';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ID_CHARS = 16;
/** Time of the ids of imported accounts: 0, before every other account. */
const NO_TIME = '0000000000';

/**
 * Derives the ids of an account from the person's id in the other system: a second run finds it, an
 * erased one too, and none of them tells that id.
 * @returns the current id; then those under former root secrets
 */
export function importedIdsOf(keys: KeyDerivation, externalId: string): [UserId, ...UserId[]] {
  const idOf = (hash: Buffer): UserId => {
    let bits = hash.readBigUInt64BE(0) * 65_536n + BigInt(hash.readUInt16BE(8));
    let chars = '';
    for (let n = 0; n < ID_CHARS; n += 1, bits >>= 5n) chars = CROCKFORD.charAt(Number(bits & 31n)) + chars;
    return `${NO_TIME}${chars}` as UserId;
  };
  const [current, ...previous] = keyedHashes(keys, 'imported-account', externalId);
  return [idOf(current), ...previous.map(idOf)];
}

/** Returns whether an account was imported from another system. */
export const isImportedId = (id: UserId): boolean => id.startsWith(NO_TIME);
