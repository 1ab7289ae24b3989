import { Injectable } from '@nestjs/common';
import type { OperatorRole } from '../../kernel/index.js';
import { ChangeFeed, LiveCache } from '../../platform/live/index.js';
import { type LiveRestrictions, liveRestrictionsOf } from '../keys/live-key.js';
import {
  type PlatformAccount,
  PlatformAccountRepository,
  type PlatformKey,
} from './platform-account.repository.js';

const ACCOUNTS_CHANNEL = 'gatehouse_platform_accounts_changed';
const KEYS_CHANNEL = 'gatehouse_platform_keys_changed';

/** What a request by a key depends on, besides the account. */
export interface LivePlatformKey
  extends Omit<PlatformKey, 'scopes' | 'networks' | 'expiresAt' | 'warnAt'>, LiveRestrictions {
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Caches accounts of the platform and their keys, within the bounds of the {@link LiveCache}. */
@Injectable()
export class PlatformDirectory {
  private readonly accounts: LiveCache<PlatformAccount>;
  private readonly keys: LiveCache<LivePlatformKey>;

  constructor(
    private readonly repository: PlatformAccountRepository,
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

  /** @returns null for an unknown key */
  findKey(lookup: string): Promise<LivePlatformKey | null> {
    return this.keys.get(lookup);
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
