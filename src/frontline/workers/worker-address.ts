import { Injectable } from '@nestjs/common';
import { AuthenticationCheck } from '../../ability/index.js';
import { EmailChangeService } from '../../iam/index.js';
import { type Principal, SENSITIVE, type TenantId, type UserId } from '../../kernel/index.js';
import type { Client } from '../../platform/web/index.js';

/** Gives workers an address, by which the account becomes the person's own. */
@Injectable()
export class WorkerAddress {
  constructor(
    private readonly authentication: AuthenticationCheck,
    private readonly emailChanges: EmailChangeService,
  ) {}

  /**
   * Mails a link to the address, which counts while the caller could still change the worker.
   * Callers who are people need a recent sign-in: by their own address, the thief of a session
   * would have the account for good.
   * @throws {AppError} insufficient-user-authentication
   */
  async request(
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
}
