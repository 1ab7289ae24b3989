import { Injectable } from '@nestjs/common';
import { AuthenticationCheck } from '../../ability/index.js';
import { EmailChangeService } from '../../iam/index.js';
import { type Principal, SENSITIVE, type UserId } from '../../kernel/index.js';
import type { Client } from '../../platform/web/index.js';

/** Gives workers an address, by which the account becomes the person's own. */
@Injectable()
export class WorkerAddress {
  constructor(
    private readonly authentication: AuthenticationCheck,
    private readonly emailChanges: EmailChangeService,
  ) {}

  /**
   * Mails a link to the address. Callers who are people need a recent sign-in: by their own
   * address, the thief of a session would have the account for good.
   * @throws {AppError} insufficient-user-authentication
   */
  async request(caller: Principal, userId: UserId, email: string, client: Client): Promise<void> {
    if (caller.kind === 'person') await this.authentication.require(caller, SENSITIVE);
    await this.emailChanges.request({ userId, sessionId: null }, email, client);
  }
}
