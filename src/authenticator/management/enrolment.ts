import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/index.js';
import type { Locked, TenantId, UserId } from '../../kernel/index.js';
import { AuthenticatorNotices } from '../authenticator-notices.js';
import { OwnMethods } from '../own-methods.js';
import { RecoveryCodeService } from '../recovery-codes/recovery-code.service.js';
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

/** Completes the enrolment of an authenticator. */
@Injectable()
export class Enrolment {
  constructor(
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
}

/** @throws {AppError} conflict if the account has as many authenticators of a kind as allowed */
export function requireRoom({ length }: readonly unknown[], max: number): void {
  if (length >= max)
    throw new AppError('conflict', { reason: { id: 'authenticator.too-many', values: { max } } });
}
