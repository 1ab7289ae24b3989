export {
  type Acr,
  ACRS,
  acrOf,
  type AuthenticationNeed,
  isSufficient,
  MAX_PROOF_AGE_SECONDS,
  SENSITIVE,
} from './authentication-need.js';
export { canonicalEmail, domainOf, isEmailAddress, MAX_EMAIL_LENGTH } from './email-address.js';
export type { KeyPurpose } from './key-purposes.js';
export type { LifecycleEvents } from './lifecycle-events.js';
export { firstIdAt, newId } from './new-id.js';
export { FILLED_LINE_PATTERN, IDEMPOTENCY_KEY_PATTERN, LINE_PATTERN, ULID_PATTERN } from './patterns.js';
export {
  FIRST_PARTY_CLIENT,
  NOT_FOR_SATELLITES,
  type Principal,
  type SessionId,
  type TenantId,
  type UserId,
} from './principal.js';
export { isUlid } from './ulid.js';
