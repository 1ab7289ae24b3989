export { type Verdict, type Scope, type Verdicts } from './abilities.js';
export { type Answer } from './http.js';
export { type RateLimit } from './rate-limit.js';
export { Gatehouse } from './gatehouse.js';
export { type GatehouseOptions, type LogoutKind, type LogoutOptions } from './gatehouse-options.js';
export { type ClientEvents } from './events.js';
export {
  type DenialCode,
  ProblemError,
  type ProblemCode,
  SignedOutError,
  UnreachableError,
  type Violation,
} from './errors.js';
export { browserStorage } from './browser-storage.js';
export { type Refresh, type Tokens } from './refresh.js';
export { memoryStorage, type StoredSession, type TokenStorage } from './storage.js';
export {
  type ExternalKind,
  ExternalSignInError,
  type ExternalSignInFailure,
  type ExternalSignInResult,
  type SignInOptions,
  takeFragment,
} from './external-sign-in.js';
export { type HostedRequest } from './hosted-sign-in.js';
export {
  type SatelliteClient,
  type SatelliteRequest,
  type PendingSatelliteSignIn,
  SignInDeclinedError,
  startSatelliteSignIn,
  StateMismatchError,
  WeakSignInError,
} from './satellite.js';
export type { Acr, AuthenticationNeed } from './authentication.js';
export {
  type AcceptedPasskeys,
  canSuggestPasskeys,
  canUsePasskeys,
  createPasskey,
  getPasskey,
  signalAcceptedPasskeys,
  signalUnknownPasskey,
} from './passkeys.js';
export type {
  CeremonyOptions,
  InvitedRegistration,
  PasskeyProof,
  SecondFactor,
  SecondFactorNeeded,
} from './second-factor.js';
export type { Confirmation, OnStepUp, StepUpNeeded } from './step-up.js';
export { type TenantStorage } from './tenant-memory.js';
export type { components, paths } from './generated/openapi.js';
