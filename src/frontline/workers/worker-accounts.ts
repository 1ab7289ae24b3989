import { Injectable } from '@nestjs/common';
import { AuthenticationCheck } from '../../ability/index.js';
import {
  AccountService,
  EmailChangeService,
  ErasureService,
  type PersonName,
  ProfileService,
} from '../../iam/index.js';
import { type Principal, SENSITIVE, type TenantId, type UserId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { Client } from '../../platform/web/index.js';
import type { Worker } from './worker.repository.js';

type Name = Pick<PersonName, 'firstName' | 'lastName'>;

/** Manages the accounts of workers, which an organization has until they have an address. */
@Injectable()
export class WorkerAccounts {
  constructor(
    private readonly accounts: AccountService,
    private readonly profiles: ProfileService,
    private readonly authentication: AuthenticationCheck,
    private readonly emailChanges: EmailChangeService,
    private readonly erasure: ErasureService,
  ) {}

  /** Creates an account without an address. */
  async create(name: Name): Promise<UserId> {
    const userId = await this.accounts.createVerified(null, { ...name, displayName: null });
    if (userId === null) throw new AppError('conflict');
    return userId;
  }

  /** Changes the given parts of the name. */
  async rename(
    { userId, firstName, lastName }: Worker,
    given: Partial<Name>,
    actorId: UserId,
  ): Promise<void> {
    const from = { firstName, lastName, displayName: null };
    const to = {
      ...from,
      ...(given.firstName !== undefined && { firstName: given.firstName }),
      ...(given.lastName !== undefined && { lastName: given.lastName }),
    };
    await this.profiles.followName(userId, { from, to }, actorId);
  }

  /**
   * Mails a link to an address, by which the account becomes the person's own. It counts while the
   * caller could still change the worker. Callers who are people need a recent sign-in: by their
   * own address, the thief of a session would have the account for good.
   * @throws {AppError} insufficient-user-authentication
   */
  async requestAddress(
    tenantId: TenantId,
    caller: Principal,
    userId: UserId,
    email: string,
    client: Client,
  ): Promise<void> {
    if (caller.kind === 'person') await this.authentication.require(caller, SENSITIVE);
    const request = { userId, requestedBy: caller.userId, requestedIn: tenantId };
    await this.emailChanges.request(request, email, client);
  }

  async erase(userId: UserId): Promise<void> {
    await this.erasure.erase(userId);
  }
}
