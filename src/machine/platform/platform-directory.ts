import { Injectable } from '@nestjs/common';
import type { OperatorRole, PlatformPrincipal } from '../../kernel/index.js';
import { KeyDerivation } from '../../platform/crypto/index.js';
import { ChangeFeed, LiveCache } from '../../platform/live/index.js';
import { KeyUse } from '../keys/key-use.js';
import { type LiveRestrictions, liveRestrictionsOf, refused, requireProvenKey } from '../keys/live-key.js';
import {
  type PlatformAccount,
  PlatformAccountRepository,
  type PlatformKey,
} from './platform-account.repository.js';

const ACCOUNTS_CHANNEL = 'gatehouse_platform_accounts_changed';
const KEYS_CHANNEL = 'gatehouse_platform_keys_changed';

/** What a request by a key depends on, besides the account. */
interface LivePlatformKey
  extends Omit<PlatformKey, 'scopes' | 'networks' | 'expiresAt' | 'warnAt'>, LiveRestrictions {
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Authenticates programs that operate the platform. Accounts and keys are cached within the bounds
 * of the {@link LiveCache}: a key in use costs no statement.
 */
@Injectable()
export class PlatformDirectory {
  private readonly accounts: LiveCache<PlatformAccount>;
  private readonly keys: LiveCache<LivePlatformKey>;

  constructor(
    private readonly repository: PlatformAccountRepository,
    private readonly derivation: KeyDerivation,
    private readonly use: KeyUse,
    feed: ChangeFeed,
  ) {
    this.accounts = new LiveCache(feed, ACCOUNTS_CHANNEL, async (ids) => {
      const found = await this.repository.findByIds(ids);
      return new Map(found.map((account) => [account.id, account]));
    });
    this.keys = new LiveCache(feed, KEYS_CHANNEL, async (lookups) => {
      const found = await this.repository.findKeysByLookup(lookups);
      return new Map(found.map((key) => [key.lookup, toLiveKey(key)]));
    });
  }

  /**
   * Verifies a well-spelled key, its account and the network of the caller.
   * @param lookup public part of the key
   * @param ipAddress of the client, behind trusted proxies as they forward it
   * @throws {AppError} unauthenticated; the error of the database if it cannot be reached
   */
  async authenticate(plainKey: string, lookup: string, ipAddress: string): Promise<PlatformPrincipal> {
    const key = await this.keys.get(lookup);
    if (!key) throw refused('unknown or revoked');
    const { id, accountId, scopes } = key;
    requireProvenKey(this.derivation, key, plainKey, ipAddress);
    if (Date.now() >= key.expiresAt) throw refused('expired');
    if ((await this.findRole(accountId, false)) === null) throw refused('account disabled');
    this.use.note({ tenantId: null, ownerId: accountId, id });
    return {
      kind: 'machine',
      owner: 'platform',
      userId: accountId,
      clientId: accountId,
      tenantId: null,
      credentialId: id,
      scopes,
    };
  }

  /** Reads an account from the database. */
  find(accountId: string): Promise<PlatformAccount | null> {
    return this.repository.find(accountId);
  }

  /**
   * @param lock read the database, and keep the account as it is until the open transaction ends
   * @returns the role of an account; null for an unknown or disabled one
   */
  async findRole(accountId: string, lock: boolean): Promise<OperatorRole | null> {
    const account = lock ? await this.repository.findForShare(accountId) : await this.accounts.get(accountId);
    return account?.status === 'active' ? account.role : null;
  }

  /** Invalidates an account on every replica, after the commit. */
  async announceAccount(id: string): Promise<void> {
    await this.accounts.announce(id);
  }

  /** Invalidates keys on every replica, after the commit. */
  async announceKeys(lookups: readonly string[]): Promise<void> {
    if (lookups.length > 0) await this.keys.announce(...lookups);
  }
}

function toLiveKey({ scopes, networks, expiresAt, ...key }: PlatformKey): LivePlatformKey {
  return { ...key, ...liveRestrictionsOf({ scopes, networks }), expiresAt: expiresAt.getTime() };
}
