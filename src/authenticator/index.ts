export { AuthenticatorModule } from './authenticator.module.js';
export { type AnswerFields, requireAssertion, requireCode } from './factor-answer.js';
export {
  ASSERTION,
  CEREMONY,
  CeremonyOptionsResponse,
  CHALLENGE,
  CODE,
  DEVICE_TOKEN,
} from './management/authenticator.dto.js';
export { type FactorAnswer, FactorService, type PreparedAnswer } from './factor.service.js';
export { FactorRepository, type FactorScope } from './factor.repository.js';
export { type OwnFactors, OwnMethods } from './own-methods.js';
export {
  type AssertionAnswer,
  type CeremonyOptions,
  PasskeyService,
  type VerifiedPasskey,
} from './passkeys/passkey.service.js';
export { TrustedDeviceService } from './trusted-devices/trusted-device.service.js';
export { FactorResetResponse, ResetAuthenticatorsDto } from './reset/factor-reset.dto.js';
export { FactorResetService, judgeReset } from './reset/factor-reset.service.js';
