import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { canonicalEmail, isEmailAddress, newId, type UserId } from '../../kernel/index.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { AccountMails } from './account-mails.js';
import {
  AccountRepository,
  type Account,
  type AddressedAccount,
  type Profile,
  type ProfileChanges,
} from './account.repository.js';
import { PendingRegistrationRepository } from './registration/pending-registration.repository.js';
import { ProfileDirectory } from './profile/profile-directory.js';

const UNKNOWN_ACCOUNT =
  'There is no account with this address or id. Name one without an address here by its id, which logs and audit trails have.';

/** The account's own data, and holding it while something is done with it. */
@Injectable()
export class AccountService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly profiles: ProfileDirectory,
    private readonly pending: PendingRegistrationRepository,
    private readonly mails: AccountMails,
    private readonly audit: AuditTrail,
  ) {}

  async getProfile(id: UserId): Promise<Profile> {
    return (await this.profiles.find(id)) ?? throwGone();
  }

  updateProfile(id: UserId, changes: ProfileChanges): Promise<Profile> {
    return this.database.transaction(async () => {
      const profile = (await this.accounts.updateProfile(id, changes)) ?? throwGone();
      await this.profiles.announceChange(id);
      return profile;
    });
  }

  /**
   * Holds the account for a new session, so that no erasure, suspension or new password comes between.
   * @throws {AppError} invalid-credentials when the account is gone or suspended, or its password is no longer the proven one
   */
  async requireUnchangedForShare(id: UserId, passwordVersion: number): Promise<void> {
    if (!(await this.accounts.holdUnchanged(id, passwordVersion))) throw new AppError('invalid-credentials');
  }

  /**
   * Holds the account against erasure and suspension until the transaction ends. It comes before every other lock.
   * @throws {AppError} unauthenticated when it is gone
   */
  async requireForShare(id: UserId): Promise<Account> {
    return (await this.accounts.findForShare(id)) ?? throwGone();
  }

  /** As {@link requireForShare}; null when it is gone. */
  findForShare(id: UserId): Promise<Account | null> {
    return this.accounts.findForShare(id);
  }

  /**
   * As {@link requireForShare}, for what a suspended person may not do.
   * @throws {AppError} unauthenticated when it is gone or suspended
   */
  async requireActiveForShare(id: UserId): Promise<Account> {
    return (await this.accounts.findActiveForShare(id)) ?? throwGone();
  }

  /**
   * The same against everybody else who holds it: what is counted of the account stays so.
   * @throws {AppError} unauthenticated when it is gone or suspended
   */
  async requireActiveForUpdate(id: UserId): Promise<Account> {
    return (await this.accounts.findActiveForUpdate(id)) ?? throwGone();
  }

  /** Holds the account so that sessions of it neither begin nor end meanwhile. */
  async lockForUpdate(id: UserId): Promise<void> {
    await this.accounts.findForUpdate(id);
  }

  /**
   * The id of an account that somebody names by its address or its id.
   * @throws {AppError} validation-error on `account` where there is none
   */
  async getId(addressOrId: string): Promise<UserId> {
    const account = isEmailAddress(addressOrId)
      ? await this.accounts.findByEmailKey(canonicalEmail(addressOrId))
      : await this.accounts.find(addressOrId as UserId);
    if (!account) throw AppError.violation('account', UNKNOWN_ACCOUNT);
    return account.id;
  }

  async hasPassword(id: UserId): Promise<boolean> {
    return ((await this.accounts.find(id))?.passwordHash ?? null) !== null;
  }

  /** The account with this address, held against erasure and suspension until the transaction ends. */
  findByEmailForShare(email: string): Promise<AddressedAccount | null> {
    return this.accounts.findByEmailKeyForShare(canonicalEmail(email));
  }

  /**
   * Makes an account without a password, for who has proven themselves elsewhere. A registration that waits for the address is dropped with its
   * password and its mails: nobody has proven that it was theirs.
   * @param email an address that was proven, or null
   * @returns null where the address has got an account meanwhile, and then the transaction is to be undone
   */
  async createVerified(email: string | null, firstName: string | null): Promise<UserId | null> {
    const id = newId() as UserId;
    const emailKey = email === null ? null : canonicalEmail(email);
    const profile = {
      email,
      firstName,
      passwordHash: null,
      company: null,
      country: null,
      marketingOptIn: false,
    };
    // The registrations before the account, as who verifies one of them does.
    if (emailKey !== null) await this.pending.deleteByEmailKey(emailKey);
    if (!(await this.accounts.insertVerified(id, emailKey, profile))) return null;
    if (email !== null) await this.mails.forgetRegistrations(email);
    await this.audit.recordForAccount(id, 'created');
    return id;
  }
}

function throwGone(): never {
  throw new AppError('unauthenticated');
}
