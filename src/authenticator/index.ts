export { AuthenticatorModule } from './authenticator.module.js';
export { type AnswerFields, requireAssertion, requireCode } from './factor-answer.js';
export { ASSERTION, CEREMONY, CHALLENGE, CODE, DEVICE_TOKEN } from './factor.fields.js';
export { type FactorAnswer, FactorService, type PreparedAnswer } from './factor.service.js';
export { CeremonyOptionsResponse } from './management/authenticator.response.js';
export { FactorRepository, type FactorScope } from './factor.repository.js';
export { type OwnFactors, OwnMethods } from './own-methods.js';
export {
  type AssertionAnswer,
  type CeremonyOptions,
  PasskeyService,
  type VerifiedPasskey,
} from './passkeys/passkey.service.js';
export { TrustedDeviceService } from './trusted-devices/trusted-device.service.js';
export { FactorResetResponse } from './reset/factor-reset.response.js';
export { FactorResetService, judgeReset } from './reset/factor-reset.service.js';
export { ResetAuthenticatorsDto } from './reset/dto/factor-reset.dto.js';
