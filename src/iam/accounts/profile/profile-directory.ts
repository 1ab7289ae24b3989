import { Injectable } from '@nestjs/common';
import type { UserId } from '../../../kernel/index.js';
import { ChangeFeed, LiveCache } from '../../../platform/live/index.js';
import { AccountRepository, type Profile } from '../account.repository.js';

const PROFILES_CHANNEL = 'gatehouse_profile_changed';

/** What people see of their accounts, from memory under the bounds of the {@link LiveCache}. */
@Injectable()
export class ProfileDirectory {
  private readonly profiles: LiveCache<Profile>;

  constructor(accounts: AccountRepository, feed: ChangeFeed) {
    this.profiles = new LiveCache(feed, PROFILES_CHANNEL, (ids) => accounts.findProfiles(ids));
  }

  /** Null for an account that is gone. */
  find(id: UserId): Promise<Profile | null> {
    return this.profiles.get(id);
  }

  /** Tells every replica, once the open transaction has committed. */
  async announceChange(id: UserId): Promise<void> {
    await this.profiles.announce(id);
  }
}
