import { Injectable } from '@nestjs/common';
import type { UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { GrantRevocation, SessionCodeService } from '../../session/index.js';
import { DeviceAuthorizationRepository } from '../devices/device-authorization.repository.js';
import { ConsentRepository } from './consent.repository.js';

/** Takes consents back. */
@Injectable()
export class ConsentWithdrawal {
  constructor(
    private readonly database: Database,
    private readonly consents: ConsentRepository,
    private readonly codes: SessionCodeService,
    private readonly devices: DeviceAuthorizationRepository,
    private readonly grants: GrantRevocation,
  ) {}

  /**
   * Deletes a consent, voids the codes that wait to be redeemed, and ends the grants that it
   * covered, in one transaction: a grant that was left could not be ended any more. Codes before
   * grants: one that is being redeemed is waited for, and its grant ended.
   * @throws {AppError} not-found without a consent
   */
  async withdraw(userId: UserId, idOrClientId: string): Promise<void> {
    await this.database.transaction(async () => {
      const clientId = await this.consents.findClientId(userId, idOrClientId);
      if (clientId === null || !(await this.consents.delete(userId, clientId)))
        throw new AppError('not-found');
      await this.codes.withdraw(userId, clientId);
      await this.devices.deleteOfPerson(userId, clientId);
      await this.grants.endGrantsOfClient(userId, clientId);
    });
  }
}
