import { Injectable } from '@nestjs/common';
import type { UserId } from '../../kernel/index.js';
import { hashApiKey, KeyDerivation } from '../../platform/crypto/index.js';
import { ChangeFeed, LiveCache } from '../../platform/live/index.js';
import { type Credential, CredentialRepository, type EndedCredential } from './credential.repository.js';
import { type LiveRestrictions, liveRestrictionsOf, requireProvenKey } from './live-key.js';

const CREDENTIALS_CHANNEL = 'gatehouse_credentials_changed';

/** What a request by a key depends on. */
export interface LiveKey
  extends LiveRestrictions, Pick<Credential, 'id' | 'tenantId' | 'ownerKind' | 'acr' | 'voucher'> {
  readonly ownerId: UserId;
  readonly secretHash: Buffer;
  /** Milliseconds since the epoch; infinite without an expiry. */
  readonly expiresAt: number;
}

/** Caches keys in use by their public parts, within the bounds of the {@link LiveCache}. */
@Injectable()
export class CredentialDirectory {
  private readonly keys: LiveCache<LiveKey>;

  constructor(
    credentials: CredentialRepository,
    private readonly derivation: KeyDerivation,
    feed: ChangeFeed,
  ) {
    this.keys = new LiveCache(feed, CREDENTIALS_CHANNEL, async (lookups) => {
      const found = await credentials.findByLookup(lookups);
      return new Map(found.map((credential) => [String(credential.lookup), toLiveKey(credential)]));
    });
  }

  /** @returns null for an unknown key. Throws if the database is unavailable: that is a 503. */
  find(lookup: string): Promise<LiveKey | null> {
    return this.keys.get(lookup);
  }

  /**
   * Requires the secret of a key, and a network that it is accepted from.
   * @throws {AppError} unauthenticated
   */
  requireProven(key: LiveKey, plainKey: string, ipAddress: string): void {
    requireProvenKey(this.derivation, key, plainKey, ipAddress);
  }

  hash(plainKey: string): Buffer {
    return hashApiKey(this.derivation, 'api-key', plainKey);
  }

  /** Invalidates ended keys on every replica, after the commit. */
  async announce(ended: readonly EndedCredential[]): Promise<void> {
    const lookups = ended.flatMap(({ lookup }) => (lookup === null ? [] : [lookup]));
    if (lookups.length > 0) await this.keys.announce(...lookups);
  }
}

function toLiveKey(credential: Credential): LiveKey {
  const { id, tenantId, ownerKind, ownerId, secretHash, acr, voucher, expiresAt } = credential;
  return {
    id,
    tenantId,
    ownerKind,
    ownerId: ownerId as UserId,
    secretHash: secretHash ?? Buffer.alloc(0),
    acr,
    voucher,
    ...liveRestrictionsOf(credential),
    expiresAt: expiresAt?.getTime() ?? Infinity,
  };
}
