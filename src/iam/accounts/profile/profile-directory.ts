import { Injectable } from '@nestjs/common';
import type { LifecycleEvents, UserId } from '../../../kernel/index.js';
import { OnLifecycle } from '../../../platform/lifecycle/index.js';
import { ChangeFeed, LiveCache } from '../../../platform/live/index.js';
import { AccountRepository, type Profile } from '../account.repository.js';

const PROFILES_CHANNEL = 'gatehouse_profile_changed';

/** Caches the profiles of accounts, invalidated within the bounds of the {@link LiveCache}. */
@Injectable()
export class ProfileDirectory {
  private readonly profiles: LiveCache<Profile>;

  constructor(accounts: AccountRepository, feed: ChangeFeed) {
    this.profiles = new LiveCache(feed, PROFILES_CHANNEL, (ids) => accounts.findProfiles(ids));
  }

  /** @returns null for an account that is erased */
  find(id: UserId): Promise<Profile | null> {
    return this.profiles.get(id);
  }

  /** Returns the BCP 47 tag of the language that the person has chosen; null if none. */
  async findLocale(id: UserId): Promise<string | null> {
    return (await this.find(id))?.locale ?? null;
  }

  /** Invalidates the profile on every replica, after the open transaction's commit. */
  async announceChange(id: UserId): Promise<void> {
    await this.profiles.announce(id);
  }

  /** Invalidates the profile of an account that the open transaction erases. */
  @OnLifecycle('account.erased')
  forget({ userId }: LifecycleEvents['account.erased']): Promise<void> {
    return this.announceChange(userId);
  }
}
