export { type Acr, ACRS } from './acr.js';
export {
  acrOf,
  type AuthenticationNeed,
  type Evidence,
  isSufficient,
  MAX_PROOF_AGE_SECONDS,
  SENSITIVE,
} from './authentication-need.js';
export { batchesOf } from './batches.js';
export { canonicalEmail, domainOf, isEmailAddress, MAX_EMAIL_LENGTH } from './email-address.js';
export { isObject } from './is-object.js';
export type { KeyPurpose } from './key-purposes.js';
export { type LifecycleEvents, MAX_PASSKEYS } from './lifecycle-events.js';
export { LOCK, type Locked } from './locks.js';
export { firstIdAt, newId, timeOfId } from './new-id.js';
export { OPERATOR_ROLES, type OperatorRights, type OperatorRole } from './operator-role.js';
export {
  FILLED_LINE_PATTERN,
  IDEMPOTENCY_KEY_PATTERN,
  LINE_PATTERN,
  ULID_PATTERN,
  isUlid,
} from './patterns.js';
export {
  FIRST_PARTY_CLIENT,
  type MachinePrincipal,
  NOT_FOR_MACHINES,
  NOT_FOR_PEOPLE,
  NOT_FOR_SATELLITES,
  partnershipOf,
  type PersonPrincipal,
  type PlatformPrincipal,
  type Principal,
  type SessionId,
  type TenantId,
  type UserId,
  type Voucher,
} from './principal.js';
export { READS } from './reads.js';
export {
  type Assurance,
  assurerOf,
  evidenceIn,
  factorScopeOf,
  findAssurance,
  findKeyShortfall,
  isOwnProofMissing,
  judgeSignIn,
  SECOND_FACTOR_RULES,
  selectedEvidence,
  type SetSignInPolicy,
  type Shortfall,
  type SignInEvidence,
  type SignInPolicy,
  type SignInVerdict,
  SSO_RULES,
  strengthOf,
  SUPPORT_ACCESS,
  STATION_RULES,
  PIN_RESET_RULES,
} from './sign-in-policy.js';
