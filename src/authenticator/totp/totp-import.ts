import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import { type LifecycleEvents, LOCK, newId } from '../../kernel/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { OwnMethods } from '../own-methods.js';
import { TotpRepository } from './totp.repository.js';
import { TotpService } from './totp.service.js';

/** Secrets of 80 bits and more, in base32. */
const SECRET = /^[A-Z2-7]{16,128}$/;
const NAME = 'Authenticator app';

/** Adds the authenticator apps of people who are imported from another system. */
@Injectable()
export class TotpImport {
  constructor(
    private readonly apps: TotpRepository,
    private readonly totp: TotpService,
    private readonly ownMethods: OwnMethods,
    private readonly audit: AuditTrail,
  ) {}

  @OnLifecycle('account.imported', { order: LOCK.rows })
  async add({ userId, totpSecret, refusal }: LifecycleEvents['account.imported']): Promise<void> {
    if (totpSecret === null) return;
    const secret = totpSecret.replace(/[ =-]/g, '').toUpperCase();
    if (!SECRET.test(secret)) throw refusal('totpSecret is not base32 of at least 80 bits');
    const id = newId();
    await this.apps.replaceUnconfirmed({
      userId,
      id,
      name: NAME,
      sealedSecret: this.totp.seal(secret),
      sessionId: null,
    });
    await this.apps.confirm(userId, { id, name: NAME, assuredBy: null }, 0);
    await this.ownMethods.announceChange(userId);
    const subject = `iam/authenticators/${id}`;
    await this.audit.record({ actorId: userId, action: 'account.totp-added', subject });
  }
}
