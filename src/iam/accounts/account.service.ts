import { Injectable } from '@nestjs/common';
import { Database, isSearchedAnywhere } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import {
  canonicalEmail,
  isEmailAddress,
  isUlid,
  type Locked,
  newId,
  type UserId,
} from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { AccountListRepository, type FoundAccount } from './account-list.repository.js';
import { AccountMails } from './account-mails.js';
import {
  AccountRepository,
  type Account,
  type AddressedAccount,
  type LockedAccount,
} from './account.repository.js';
import { PendingRegistrationRepository } from './registration/pending-registration.repository.js';
import type { PersonName } from './person-name.js';

const UNKNOWN_ACCOUNT = 'no account with this address or id; logs and audit trails have the id';

/** A new account with a verified address, or none. */
export interface NewAccount
  extends PersonName, Partial<Pick<Account, 'passwordHash' | 'marketingOptIn' | 'locale'>> {}

/**
 * Reads, creates and locks accounts. The lock of an account comes first in the lock order
 * (ARCHITECTURE.md).
 */
@Injectable()
export class AccountService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly lists: AccountListRepository,
    private readonly pending: PendingRegistrationRepository,
    private readonly mails: AccountMails,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Locks the account for a new session against erasure, suspension and a new password, until the
   * transaction ends.
   * @param passwordVersion version at which the password was verified
   * @throws {AppError} invalid-credentials if the account is erased or suspended, or its password
   *   has changed since
   */
  async requireUnchangedForShare(id: UserId, passwordVersion: number): Promise<Locked<UserId>> {
    const locked = await this.accounts.lockUnchangedForShare(id, passwordVersion);
    if (!locked) throw new AppError('invalid-credentials');
    return locked;
  }

  /**
   * Locks the account against erasure and suspension until the transaction ends.
   * @throws {AppError} unauthenticated if it is erased
   */
  async requireForShare(id: UserId): Promise<LockedAccount> {
    return (await this.accounts.findForShare(id)) ?? throwGone();
  }

  /**
   * Locks the account exclusively, to change it later in the transaction.
   * @throws {AppError} unauthenticated if it is erased
   */
  async requireForUpdate(id: UserId): Promise<LockedAccount> {
    return (await this.accounts.findForUpdate(id)) ?? throwGone();
  }

  /**
   * Locks the account as {@link requireForShare} does.
   * @returns null if it is erased
   */
  findForShare(id: UserId): Promise<LockedAccount | null> {
    return this.accounts.findForShare(id);
  }

  /**
   * Locks the account as {@link requireForShare} does, for what a suspended person may not do.
   * @throws {AppError} unauthenticated if it is erased or suspended
   */
  async requireActiveForShare(id: UserId): Promise<LockedAccount> {
    return (await this.accounts.findActiveForShare(id)) ?? throwGone();
  }

  /** Returns whether the account is neither erased nor suspended, without a lock. */
  isActive(id: UserId): Promise<boolean> {
    return this.accounts.isActive(id);
  }

  /** Locks the account as {@link requireActiveForShare} does. @returns null if it throws */
  lockActiveForShare(id: UserId): Promise<Locked<UserId> | null> {
    return this.accounts.lockActiveForShare(id);
  }

  /**
   * Locks the account exclusively, so that counts of its rows stay true until the transaction ends.
   * @throws {AppError} unauthenticated if it is erased or suspended
   */
  async requireActiveForUpdate(id: UserId): Promise<LockedAccount> {
    return (await this.accounts.findActiveForUpdate(id)) ?? throwGone();
  }

  /**
   * Runs a change in one transaction, under the lock of {@link requireActiveForUpdate}.
   * @throws {AppError} unauthenticated if the account is erased or suspended
   */
  underLock<T>(id: UserId, change: (account: LockedAccount) => Promise<T>): Promise<T> {
    return this.database.transaction(async () => change(await this.requireActiveForUpdate(id)));
  }

  /**
   * Locks the account exclusively, so that no session of it starts or ends until the commit. None
   * starts for an erased account, which has no row to lock.
   */
  async lockForUpdate(id: UserId): Promise<Locked<UserId>> {
    await this.accounts.findForUpdate(id);
    return id as Locked<UserId>;
  }

  /**
   * Resolves an account that an operator names by its address or its id.
   * @throws {AppError} validation-error on `account` if it does not exist
   */
  async getId(addressOrId: string): Promise<UserId> {
    return (await this.getNamed(addressOrId)).id;
  }

  /**
   * Gets an account that an operator names by its address or its id.
   * @throws {AppError} validation-error on `account` if it does not exist
   */
  async getNamed(addressOrId: string): Promise<Account> {
    const account = isEmailAddress(addressOrId)
      ? await this.accounts.findByEmailKey(canonicalEmail(addressOrId))
      : await this.accounts.find(addressOrId as UserId);
    if (!account) throw AppError.violation('account', UNKNOWN_ACCOUNT);
    return account;
  }

  /**
   * Finds accounts for an operator: by any part of names and address, newest first, or else in
   * order of address.
   * @param query an id, a whole address, or a part; the beginning of an address if it is not one
   *   that is searched for anywhere
   * @returns one more than `page.limit` if there are more
   * @throws {AppError} validation-error on `cursor` if the account that it names is erased
   */
  async search(query: string, page: Page): Promise<FoundAccount[]> {
    const lower = query.toLowerCase();
    if (isUlid(query)) {
      const account = await this.accounts.find(query as UserId);
      return account && page.after === null ? [account] : [];
    }
    const isAddress = isEmailAddress(lower);
    if (!isAddress && isSearchedAnywhere(lower)) return this.listByPart(lower, page);
    const beginning = isAddress ? canonicalEmail(lower) : lower;
    return this.listByAddress(beginning, page);
  }

  /**
   * Lists accounts whose address begins so, in order of address.
   * @param beginning in lower case
   * @returns one more than `page.limit` if there are more
   * @throws {AppError} validation-error on `cursor` if the account that it names is erased
   */
  async listByAddress(beginning: string, page: Page): Promise<FoundAccount[]> {
    const found = await this.lists.listByEmailKey(beginning, page);
    if (!found) throw AppError.violation('cursor', 'names an erased account; start without it');
    return found;
  }

  /** Lists accounts with a text anywhere in their names or address, newest first. */
  listByPart(part: string, page: Page): Promise<FoundAccount[]> {
    return this.lists.listByPart(part, page);
  }

  /** Returns whether the account exists and has a password. */
  async hasPassword(id: UserId): Promise<boolean> {
    return ((await this.accounts.find(id))?.passwordHash ?? null) !== null;
  }

  /** Returns whether an active account has a password and an address. */
  async findMeans(userId: UserId): Promise<{ readonly hasPassword: boolean; readonly hasEmail: boolean }> {
    const account = await this.accounts.findActive(userId);
    return {
      hasPassword: (account?.passwordHash ?? null) !== null,
      hasEmail: (account?.email ?? null) !== null,
    };
  }

  async removePassword(id: Locked<UserId>): Promise<void> {
    await this.accounts.removePassword(id);
  }

  /**
   * Finds the account of an address and locks it as {@link requireForShare} does.
   * @returns null if the address has no account
   */
  findByEmailForShare(email: string): Promise<(AddressedAccount & LockedAccount) | null> {
    return this.accounts.findByEmailKeyForShare(canonicalEmail(email));
  }

  /**
   * Creates an account for a person whom an external provider has identified, or who has proven the
   * address by an invitation. Pending registrations of the address are removed with their passwords
   * and mails: they may be an attacker's.
   * @param email verified address, or null
   * @param account a provider's name as {@link readName} returns it
   * @returns null if the address has an account by now; the caller then has to roll back the
   *   transaction
   */
  async createVerified(email: string | null, account: NewAccount): Promise<Locked<UserId> | null> {
    const id = newId() as Locked<UserId>;
    const emailKey = email === null ? null : canonicalEmail(email);
    const profile = {
      email,
      passwordHash: null,
      company: null,
      country: null,
      marketingOptIn: false,
      locale: null,
      ...account,
    };
    // Lock order: registrations before the account, as in their verification.
    const registered = emailKey === null ? [] : await this.pending.deleteByEmailKeys([emailKey]);
    if (!(await this.accounts.insertVerified(id, emailKey, profile))) return null;
    if (email !== null && registered.length > 0) await this.mails.forgetRegistrations(email);
    await this.audit.recordForAccount(id, 'created');
    return id;
  }
}

export function throwGone(): never {
  throw new AppError('unauthenticated');
}
