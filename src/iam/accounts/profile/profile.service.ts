import { Injectable } from '@nestjs/common';
import type { UserId } from '../../../kernel/index.js';
import { Database } from '../../../platform/database/index.js';
import { type Emitter, Events } from '../../../platform/events/index.js';
import { namesOfGiven } from '../../audit/audit.declarations.js';
import { throwGone } from '../account.service.js';
import { AccountUpdated } from '../account.events.js';
import { AccountRepository, type Profile, type ProfileChanges } from '../account.repository.js';
import { changedParts, type PersonName } from '../person-name.js';
import { ProfileDirectory } from './profile-directory.js';

/** Reads and changes what people say of themselves, and what others call them. */
@Injectable()
export class ProfileService {
  private readonly updated: Emitter<AccountUpdated>;

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly profiles: ProfileDirectory,
    events: Events,
  ) {
    this.updated = events.emitter(AccountUpdated);
  }

  /** @throws {AppError} unauthenticated if the account is erased */
  async getProfile(id: UserId): Promise<Profile> {
    return (await this.profiles.find(id)) ?? throwGone();
  }

  /**
   * Changes the given fields of a profile.
   * @param check throws if the change must not be made; it may lock and read the profile
   * @throws {AppError} unauthenticated if the account is erased
   */
  updateProfile(
    id: UserId,
    changes: ProfileChanges,
    check: (lock: () => Promise<Profile>) => Promise<void>,
  ): Promise<Profile> {
    return this.database.transaction(async () => {
      await check(async () => {
        await this.accounts.findForUpdate(id);
        return (await this.accounts.findProfiles([id])).get(id) ?? throwGone();
      });
      return (await this.writeProfile(id, changes, id)) ?? throwGone();
    });
  }

  /**
   * Gives an account the parts of the name that the directory or connection which made it has
   * changed, except for those that the person has set to something else since. Joins the open
   * transaction, and locks the account exclusively if anything has changed.
   * @param from name that was sent before
   * @param to name that is sent now
   * @param actorId id of the directory or connection
   */
  async followName(
    id: UserId,
    { from, to }: { readonly from: PersonName; readonly to: PersonName },
    actorId: string,
  ): Promise<void> {
    const changed = Object.entries(changedParts(from, to)) as [keyof PersonName, string | null][];
    const account = changed.length === 0 ? null : await this.accounts.findForUpdate(id);
    const followed = changed.filter(([part]) => account?.[part] === from[part]);
    if (followed.length > 0) await this.writeProfile(id, Object.fromEntries(followed), actorId as UserId);
  }

  private async writeProfile(id: UserId, changes: ProfileChanges, actorId: UserId): Promise<Profile | null> {
    const profile = await this.accounts.updateProfile(id, changes);
    if (!profile) return null;
    await this.profiles.announceChange(id);
    const data = { userId: id, changed: namesOfGiven(changes) };
    await this.updated.emit({ person: id, subject: `iam/accounts/${id}`, actorId, data });
    return profile;
  }
}
