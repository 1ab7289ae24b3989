import { AuthenticatorDataRepository } from './management/authenticator-data.repository.js';
import { AuthenticatorExport } from './management/authenticator-export.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AbilityModule } from '../ability/index.js';
import { IamModule } from '../iam/index.js';
import { AuthenticatorNotices } from './authenticator-notices.js';
import { FactorService } from './factor.service.js';
import { AuthenticatorController } from './management/authenticator.controller.js';
import { AuthenticatorService } from './management/authenticator.service.js';
import { AuthenticatorOverview } from './management/authenticator-overview.service.js';
import { Authenticators } from './management/authenticators.js';
import { Enrolment } from './management/enrolment.js';
import { FactorRepository } from './factor.repository.js';
import { PasswordRemovalController } from './management/password-removal.controller.js';
import { PasswordRemoval } from './management/password-removal.service.js';
import { OwnMethods } from './own-methods.js';
import { Ceremonies } from './passkeys/ceremonies.js';
import { SpentCeremonyRepository } from './passkeys/spent-ceremony.repository.js';
import { PasskeyEnrolment } from './passkeys/passkey-enrolment.js';
import { PasskeyImport } from './passkeys/passkey-import.js';
import { PasskeyUserEntity, SpentCeremonyEntity } from './passkeys/passkey.entity.js';
import { PasskeyEntity } from './passkeys/passkey.entity.js';
import { PasskeyRepository } from './passkeys/passkey.repository.js';
import { PasskeyService } from './passkeys/passkey.service.js';
import { WellKnownController } from './passkeys/well-known.controller.js';
import { RecoveryCodeController } from './recovery-codes/recovery-code.controller.js';
import { RecoveryCodeEntity } from './recovery-codes/recovery-code.entity.js';
import { RecoveryCodeRepository } from './recovery-codes/recovery-code.repository.js';
import { RecoveryCodeService } from './recovery-codes/recovery-code.service.js';
import { FactorResetController } from './reset/factor-reset.controller.js';
import { FactorResetEntity } from './reset/factor-reset.entity.js';
import { FactorResetJob } from './reset/factor-reset-job.js';
import { FactorResetNotices } from './reset/factor-reset-notices.js';
import { FactorResetRepository } from './reset/factor-reset.repository.js';
import { FactorResetService } from './reset/factor-reset.service.js';
import { TotpEnrolment } from './totp/totp-enrolment.js';
import { TotpImport } from './totp/totp-import.js';
import { TotpEntity } from './totp/totp.entity.js';
import { TotpRepository } from './totp/totp.repository.js';
import { TotpService } from './totp/totp.service.js';
import { TrustedDeviceController } from './trusted-devices/trusted-device.controller.js';
import { TrustedDeviceEntity } from './trusted-devices/trusted-device.entity.js';
import { TrustedDeviceRepository } from './trusted-devices/trusted-device.repository.js';
import { TrustedDeviceService } from './trusted-devices/trusted-device.service.js';
import './authenticator.errors.js';
import './authenticator.events.js';

const entities = [
  FactorResetEntity,
  PasskeyEntity,
  PasskeyUserEntity,
  RecoveryCodeEntity,
  SpentCeremonyEntity,
  TotpEntity,
  TrustedDeviceEntity,
];
const totp = [TotpEnrolment, TotpImport, TotpRepository, TotpService];
const passkeys = [
  Ceremonies,
  SpentCeremonyRepository,
  PasskeyEnrolment,
  PasskeyImport,
  PasskeyRepository,
  PasskeyService,
];
const recoveryCodes = [RecoveryCodeRepository, RecoveryCodeService];
const resets = [FactorResetJob, FactorResetNotices, FactorResetRepository, FactorResetService];
const devices = [TrustedDeviceRepository, TrustedDeviceService];

/** Second factors and passkeys: knows accounts, and nothing of sessions and tokens (ADR 34). */
@Module({
  imports: [TypeOrmModule.forFeature(entities), AbilityModule, IamModule],
  controllers: [
    AuthenticatorController,
    FactorResetController,
    PasswordRemovalController,
    RecoveryCodeController,
    TrustedDeviceController,
    WellKnownController,
  ],
  providers: [
    ...totp,
    ...passkeys,
    ...recoveryCodes,
    ...devices,
    ...resets,
    AuthenticatorNotices,
    AuthenticatorDataRepository,
    AuthenticatorExport,
    AuthenticatorOverview,
    Authenticators,
    AuthenticatorService,
    Enrolment,
    FactorService,
    FactorRepository,
    OwnMethods,
    PasswordRemoval,
  ],
  exports: [
    FactorResetService,
    FactorService,
    FactorRepository,
    OwnMethods,
    PasskeyService,
    TrustedDeviceService,
  ],
})
export class AuthenticatorModule {}
