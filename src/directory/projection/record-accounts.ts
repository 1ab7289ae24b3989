import { Injectable } from '@nestjs/common';
import { ConnectionDirectory } from '../../connection/index.js';
import { DirectoryWorkers } from '../../frontline/index.js';
import { AccountService, ProfileService, DirectoryEmails } from '../../iam/index.js';
import { canonicalEmail, type UserId } from '../../kernel/index.js';
import { isUniqueViolation } from '../../platform/database/index.js';
import type { DirectoryEntity } from '../directories/directory.entity.js';
import type { DirectoryUserEntity, RecordReason } from '../records/user.entity.js';
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
    private readonly connections: ConnectionDirectory,
    private readonly accounts: AccountService,
    private readonly profiles: ProfileService,
    private readonly addresses: DirectoryEmails,
    private readonly workers: DirectoryWorkers,
    private readonly suspensions: DirectorySuspensionRepository,
  ) {}

  /** Finds the account of a record that is not linked, or creates it. */
  async findTarget(directory: DirectoryEntity, attributes: Attributes): Promise<Target> {
    const bySubject = await this.findBySubject(directory, attributes);
    if (bySubject !== null) return { userId: bySubject, isMade: false };
    const email = addressOf(attributes);
    if (email === null) return this.findWorker(directory, attributes);
    const emailKey = canonicalEmail(email);
    if (!(await this.people.isVerified(directory.tenantId, emailKey))) {
      const invited = await this.people.findInvited(directory.tenantId, emailKey);
      return invited === null ? { userId: null, email } : { userId: invited, isMade: false };
    }
    const known = await this.accounts.findByEmailForShare(email);
    if (known) return { userId: known.id, isMade: false };
    if (attributes['active'] === false) return { userId: null, email: null, reason: 'inactive' };
    const created = await this.accounts.createVerified(email, personNameOf(attributes));
    if (created === null) throw new Outdated();
    return { userId: created, isMade: true };
  }

  /** Gives a managed account the address of its record, and names that the person has not set. */
  async follow(
    directory: DirectoryEntity,
    userId: UserId,
    before: DirectoryUserEntity,
    attributes: Attributes,
  ): Promise<void> {
    await this.changeAddress(directory, userId, attributes);
    const [from, to] = [personNameOf(before.attributes), personNameOf(attributes)];
    await this.profiles.followName(userId, { from, to }, directory.id);
  }

  /** Finds the account that signs in by the connection of the directory with the same subject. */
  private async findBySubject(directory: DirectoryEntity, attributes: Attributes): Promise<UserId | null> {
    const subject = attributes[directory.matchAttribute];
    if (directory.connectionId === null || typeof subject !== 'string') return null;
    const connection = await this.connections.find(directory.connectionId);
    if (connection?.tenantId !== directory.tenantId) return null;
    const issuer = connection.kind === 'oidc' ? connection.settings.issuer : connection.settings.entityId;
    return this.people.findBySubject(connection.id, issuer, subject);
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

  /**
   * Gives an account that the directory manages the address of its record, if the organization has
   * verified the domain.
   */
  private async changeAddress(
    directory: DirectoryEntity,
    userId: UserId,
    attributes: Attributes,
  ): Promise<void> {
    const email = addressOf(attributes);
    if (email === null || !(await this.people.isVerified(directory.tenantId, canonicalEmail(email)))) return;
    try {
      await this.addresses.change(userId, email, {
        tenantId: directory.tenantId,
        directoryId: directory.id,
      });
    } catch (error) {
      throw isUniqueViolation(error) ? new Outdated() : error;
    }
  }
}
