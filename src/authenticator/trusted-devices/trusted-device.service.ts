import { Inject, Injectable } from '@nestjs/common';
import { AccountService, AuditTrail } from '../../iam/index.js';
import { createOneTimeToken, hashOneTimeToken } from '../../platform/crypto/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import {
  isUlid,
  type LifecycleEvents,
  LOCK,
  newId,
  type PersonPrincipal,
  type UserId,
} from '../../kernel/index.js';
import type { Client } from '../../platform/web/index.js';
import { AuthenticatorNotices } from '../authenticator-notices.js';
import { TrustedDeviceRepository } from './trusted-device.repository.js';

/** Devices in which a person need not enter the second factor for a while. */
@Injectable()
export class TrustedDeviceService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly devices: TrustedDeviceRepository,
    private readonly notices: AuthenticatorNotices,
    private readonly audit: AuditTrail,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Trusts the device of the request, in the open transaction.
   * @returns the token that it shows at later sign-ins
   */
  async trust(
    { userId, sessionId }: Pick<PersonPrincipal, 'userId' | 'sessionId'>,
    { userAgent }: Client,
  ): Promise<string> {
    const id = newId();
    const { plainToken, tokenHash } = createOneTimeToken();
    const device = { userId, id, secretHash: tokenHash, userAgent, sessionId };
    await this.devices.insert(device, this.settings.DEVICE_TTL);
    const event = { action: 'account.device-trusted', subject: `iam/accounts/${userId}` };
    await this.audit.record({ actorId: userId, ...event });
    return `${id}.${plainToken}`;
  }

  /** Checks the token of a device, and notes its use. @returns false for another account's */
  async isTrusted(userId: UserId, token: string): Promise<boolean> {
    const [id = '', secret = ''] = token.split('.');
    return isUlid(id) && (await this.devices.use(userId, id, hashOneTimeToken(secret)));
  }

  /** Ends the trust in one device, and tells the owner. @throws {AppError} not-found */
  async remove(userId: UserId, id: string): Promise<void> {
    await this.database.transaction(async () => {
      await this.accounts.requireActiveForShare(userId);
      if (!(await this.devices.delete(userId, id))) throw new AppError('not-found');
      await this.notices.tell(userId, 'trusted-device-removed', null);
    });
  }

  /** Ends the trust in all devices, when credentials change or the person signs out everywhere. */
  @OnLifecycle(
    'account.password-changed',
    'account.password-reset',
    'account.signed-out',
    'account.factors-reset',
    'account.suspended',
    'account.erased',
    { order: LOCK.rows },
  )
  async forgetAll({ userId }: { userId: UserId }): Promise<void> {
    await this.devices.deleteAllOf(userId);
  }

  /** Ends the trust that a session gave. */
  @OnLifecycle('session.traces-ended', { order: LOCK.rows })
  async forgetOfSession({ userId, sessionId }: LifecycleEvents['session.traces-ended']): Promise<void> {
    await this.devices.deleteOfSession(userId, sessionId);
  }
}
