import { isApiKeyOf, type KeyDerivation } from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import { networkCheck } from './networks.js';

/** Refusal of a key. Its cause is for the log: all refusals look alike to the caller. */
export const refused = (cause: string): AppError =>
  new AppError('unauthenticated', {
    detail: 'The key is not valid, has ended, or is not accepted from this network.',
    cause,
  });

/** What a request by a key may do, and from where. */
export interface LiveRestrictions {
  readonly scopes: ReadonlySet<string> | null;
  /** Returns whether the key is accepted from an address; null for any. */
  readonly allowsAddress: ((address: string) => boolean) | null;
}

/** Prepares the restrictions of a stored key for many requests. */
export function liveRestrictionsOf(key: {
  readonly scopes: readonly string[] | null;
  readonly networks: readonly string[];
}): LiveRestrictions {
  return {
    scopes: key.scopes && new Set(key.scopes),
    allowsAddress: key.networks.length === 0 ? null : networkCheck(key.networks),
  };
}

/**
 * Requires the secret of a key and a network that it is accepted from.
 * @throws {AppError} unauthenticated
 */
export function requireProvenKey(
  derivation: KeyDerivation,
  key: Pick<LiveRestrictions, 'allowsAddress'> & { readonly secretHash: Buffer },
  plainKey: string,
  ipAddress: string,
): void {
  if (!isApiKeyOf(derivation, 'api-key', plainKey, key.secretHash)) throw refused('wrong secret');
  if (key.allowsAddress?.(ipAddress) === false) throw refused('foreign network');
}
