import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/index.js';
import type { Locked, TenantId, UserId } from '../../kernel/index.js';
import { AuthenticatorNotices } from '../authenticator-notices.js';
import { OwnMethods } from '../own-methods.js';
import { RecoveryCodeService } from '../recovery-codes/recovery-code.service.js';
import { PasskeyRepository } from '../passkeys/passkey.repository.js';
import { TotpRepository } from '../totp/totp.repository.js';
import { TrustedDeviceService } from '../trusted-devices/trusted-device.service.js';

/** A new authenticator, and the recovery codes that came with the first one. */
export interface Enrolled<T> {
  readonly authenticator: T;
  readonly recoveryCodes: string[] | null;
}

/** An authenticator that is added, and the organization in which it counts only. */
interface NewFactor {
  readonly userId: Locked<UserId>;
  readonly id: string;
  readonly assuredBy: TenantId | null;
}

/** Completes the enrolment of an authenticator, or its adoption by the person. */
@Injectable()
export class Enrolment {
  constructor(
    private readonly apps: TotpRepository,
    private readonly passkeys: PasskeyRepository,
    private readonly recoveryCodes: RecoveryCodeService,
    private readonly devices: TrustedDeviceService,
    private readonly ownMethods: OwnMethods,
    private readonly notices: AuthenticatorNotices,
  ) {}

  /**
   * Runs the insertion, ends the trust in devices, and tells the owner.
   * @param insert of the authenticator
   * @returns recovery codes with the first authenticator that counts in its place; otherwise null
   */
  async complete(
    { userId, id, assuredBy }: NewFactor,
    kind: 'totp' | 'passkey',
    insert: () => Promise<void>,
  ): Promise<string[] | null> {
    const scope = assuredBy === null ? [] : [assuredBy];
    const isFirst = !(await this.ownMethods.findFactors(userId, scope)).secondFactor;
    await insert();
    await this.ownMethods.announceChange(userId);
    await this.devices.forgetAll({ userId });
    await this.notices.tell(userId, `${kind}-added`, id);
    return isFirst ? this.recoveryCodes.create(userId, assuredBy) : null;
  }

  /** Makes an authenticator that an organization has added the person's own (ADR 49). */
  async adopt(userId: UserId, kind: 'totp' | 'passkey', id: string): Promise<void> {
    if (kind === 'passkey') await this.passkeys.makeOwn(userId, id);
    else await this.apps.makeOwn(userId, id);
    await this.ownMethods.announceChange(userId);
    await this.notices.tell(userId, `${kind}-added`, id);
  }
}

/** @throws {AppError} conflict if the account has as many authenticators of a kind as allowed */
export function requireRoom({ length }: readonly unknown[], max: number): void {
  if (length >= max)
    throw new AppError('conflict', { reason: { id: 'authenticator.too-many', values: { max } } });
}
