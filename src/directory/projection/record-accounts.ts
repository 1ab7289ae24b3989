import { Injectable } from '@nestjs/common';
import { DirectoryWorkers } from '../../frontline/index.js';
import { AccountService, ProfileService, DirectoryEmails } from '../../iam/index.js';
import { canonicalEmail, type UserId } from '../../kernel/index.js';
import { isUniqueViolation } from '../../platform/database/index.js';
import type { DirectoryEntity } from '../directories/directory.entity.js';
import type { DirectoryUserEntity, RecordReason } from '../records/record.entity.js';
import { addressOf, type Attributes, numberOf, personNameOf } from '../scim/attributes.js';
import { DirectorySuspensionRepository } from './directory-suspension.repository.js';
import type { Target } from './membership-projection.js';
import { PersonRepository } from './person.repository.js';

/** A concurrent request was first to change the record or its account. */
export class Outdated extends Error {}

/**
 * Finds or creates the accounts of records, and lets those that a directory manages follow its
 * records: before the tenant is locked.
 */
@Injectable()
export class RecordAccounts {
  constructor(
    private readonly people: PersonRepository,
    private readonly accounts: AccountService,
    private readonly profiles: ProfileService,
    private readonly addresses: DirectoryEmails,
    private readonly workers: DirectoryWorkers,
    private readonly suspensions: DirectorySuspensionRepository,
  ) {}

  /**
   * Finds the account of a record, or creates it; lets one that a directory manages follow the
   * record; and locks it. No other transaction sees one that was created, so that it needs no lock.
   * @param record null for a new one
   */
  async lockTarget(
    directory: DirectoryEntity,
    record: DirectoryUserEntity | null,
    attributes: Attributes,
  ): Promise<Target> {
    if (!record?.accountId) {
      const target = await this.findTarget(directory, attributes);
      if (target.userId !== null && !target.isMade) await this.accounts.lockForUpdate(target.userId);
      return target;
    }
    if (record.madeAccount) await this.follow(directory, record.accountId, record, attributes);
    await this.lock(record);
    return { userId: record.accountId, isMade: false };
  }

  /** Locks the account of a record, if it has one. */
  async lock({ accountId }: DirectoryUserEntity): Promise<void> {
    if (accountId !== null) await this.accounts.lockForUpdate(accountId);
  }

  /** Finds the account of a record that is not linked, or creates it. */
  private async findTarget(directory: DirectoryEntity, attributes: Attributes): Promise<Target> {
    const { tenantId, connectionId, matchAttribute } = directory;
    const subject = attributes[matchAttribute];
    if (connectionId !== null && typeof subject === 'string') {
      const bySubject = await this.people.findBySubject(tenantId, connectionId, subject);
      if (bySubject !== null) return { userId: bySubject, isMade: false };
    }
    const email = addressOf(attributes);
    if (email === null) return this.findWorker(directory, attributes);
    const emailKey = canonicalEmail(email);
    if (!(await this.people.isVerified(tenantId, emailKey))) {
      const invited = await this.people.findInvited(tenantId, emailKey);
      return invited === null ? { userId: null, email } : { userId: invited, isMade: false };
    }
    const known = await this.accounts.findByEmailForShare(email);
    if (known) return { userId: known.id, isMade: false };
    if (attributes['active'] === false) return { userId: null, email: null, reason: 'inactive' };
    const created = await this.accounts.createVerified(email, personNameOf(attributes));
    if (created === null) throw new Outdated();
    return { userId: created, isMade: true };
  }

  /**
   * Gives a managed account names that the person has not set, and the address of its record, if
   * the organization has verified the domain.
   */
  private async follow(
    directory: DirectoryEntity,
    userId: UserId,
    before: DirectoryUserEntity,
    attributes: Attributes,
  ): Promise<void> {
    const { tenantId, id: directoryId } = directory;
    const email = addressOf(attributes);
    if (email !== null && (await this.people.isVerified(tenantId, canonicalEmail(email))))
      await this.addresses.change(userId, email, { tenantId, directoryId }).catch((error: unknown) => {
        throw isUniqueViolation(error) ? new Outdated() : error;
      });
    const [from, to] = [personNameOf(before.attributes), personNameOf(attributes)];
    await this.profiles.followName(userId, { from, to }, directoryId);
  }

  /**
   * Finds the account of a person without an address, or creates it, where these are workers: the
   * person whom directories have suspended by this number, or a new one.
   */
  private async findWorker(
    { tenantId, id, withoutAddress }: DirectoryEntity,
    attributes: Attributes,
  ): Promise<Target> {
    const wait = (reason: RecordReason): Target => ({ userId: null, email: null, reason });
    if (withoutAddress === 'wait') return wait('no-address');
    if (attributes['active'] === false) return wait('inactive');
    const number = numberOf(attributes);
    const fault = await this.workers.findFault(tenantId, number, null);
    if (fault !== null) return wait(fault);
    const suspended = await this.suspensions.findWorker(tenantId, number);
    if (suspended !== null) {
      const from = await this.profiles.getProfile(suspended);
      await this.profiles.followName(suspended, { from, to: personNameOf(attributes) }, id);
      return { userId: suspended, isMade: false };
    }
    const created = await this.accounts.createVerified(null, personNameOf(attributes));
    if (created === null) throw new Outdated();
    return { userId: created, isMade: true };
  }
}
