import { Injectable } from '@nestjs/common';
import { MembershipDirectory } from '../../iam/index.js';
import { factorScopeOf, type PersonPrincipal } from '../../kernel/index.js';
import { PasskeyRepository } from '../passkeys/passkey.repository.js';
import { RecoveryCodeRepository } from '../recovery-codes/recovery-code.repository.js';
import { FactorResetRepository, type PendingReset } from '../reset/factor-reset.repository.js';
import { TrustedDeviceRepository } from '../trusted-devices/trusted-device.repository.js';
import { type AppsAndPasskeys, Authenticators } from './authenticators.js';

/** Second factors of a person, as they see them. */
export interface OwnAuthenticators extends AppsAndPasskeys {
  /** Those that count in the session. */
  readonly recoveryCodesLeft: number;
  readonly trustedDevices: number;
  readonly userHandle: Buffer | null;
  readonly reset: PendingReset | null;
  /** Whether the person should add a second factor: an operator or owner who has none. */
  readonly shouldEnrol: boolean;
}

/** Reads all that people see of their second factors. */
@Injectable()
export class AuthenticatorOverview {
  constructor(
    private readonly authenticators: Authenticators,
    private readonly passkeys: PasskeyRepository,
    private readonly recoveryCodes: RecoveryCodeRepository,
    private readonly devices: TrustedDeviceRepository,
    private readonly resets: FactorResetRepository,
    private readonly directory: MembershipDirectory,
  ) {}

  async get(caller: PersonPrincipal): Promise<OwnAuthenticators> {
    const { userId } = caller;
    const { apps, passkeys } = await this.authenticators.list(userId);
    const hasFactor = apps.length + passkeys.length > 0;
    return {
      apps,
      passkeys,
      recoveryCodesLeft: await this.recoveryCodes.count(userId, factorScopeOf(caller)),
      trustedDevices: await this.devices.count(userId),
      userHandle: await this.passkeys.findHandle(userId),
      reset: await this.resets.findPending(userId),
      shouldEnrol: !hasFactor && (await this.directory.isInPower(userId)),
    };
  }
}
