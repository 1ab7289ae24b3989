export { ASSERTION, strengthClaimsOf } from './evidence/evidence.js';
export { AccessTokenService } from './tokens/access-token.service.js';
export { Authenticator } from './tokens/authenticator.js';
export { DPOP_ALGS, DpopProofs } from './tokens/dpop-proofs.js';
export { DpopNonces } from './tokens/dpop-proofs.js';
export { GrantRotation } from './grants/grant-rotation.js';
export { GrantRevocation } from './grants/grant-revocation.js';
export type { GrantView, StartedGrant } from './grants/grant.repository.js';
export {
  FirstFactorService,
  type FirstFactorOutcome,
  requireGrant,
  type RequiredFactor,
} from './second-factor/first-factor.service.js';
export type { ActingToken, Impersonated } from './impersonations/impersonation.service.js';
export { ImpersonationEnd } from './impersonations/impersonation-end.js';
export { ImpersonationService } from './impersonations/impersonation.service.js';
export type { JudgedImpersonation } from './impersonations/impersonation.repository.js';
export { GrantService } from './grants/grant.service.js';
export { MACHINE_TOKEN_SECONDS, MachineTokens } from './tokens/machine-tokens.js';
export { UpstreamSignOut } from './upstream/upstream-sign-out.js';
export { LogoutService } from './sessions/logout.service.js';
export { TenantAdmission } from './grants/tenant-admission.js';
export { ProvesStations, type ProvenStation, type StationRefresh } from './grants/proven-station.js';
export { RefreshService } from './grants/refresh.service.js';
export { NEEDED_ACR, NEEDED_MAX_AGE, REFRESH_TOKEN } from './session.declarations.js';
export { REFRESH_LIMIT } from './session.declarations.js';
export { AccountCodeRepository } from './codes/account-code.repository.js';
export { CodeExchange, type CodeFault, type ReusedCode } from './codes/code-exchange.service.js';
export { CODE_LIFETIME_SECONDS } from './codes/one-time-code.repository.js';
export { needOf, SessionCodeService } from './codes/session-code.service.js';
export { SessionModule } from './session.module.js';
export type { SessionSummary } from './sessions/session.repository.js';
export { signJwt } from './tokens/token-signer.js';
export { SessionLock } from './sessions/session-lock.js';
export { SessionService, type StationEntry } from './sessions/session.service.js';
export { RsaKeys } from './signing-keys/rsa-keys.js';
export { type SigningKey, SigningKeyService } from './signing-keys/signing-key.service.js';
export {
  type ClientSecret,
  type ClientToken,
  type IssueClientToken,
  IssuesClientTokens,
} from './tokens/client-token-issuer.js';
export { TokenSigner } from './tokens/token-signer.js';
export { TokenIssuer } from './tokens/token-issuer.js';
export { TenantTokenResponse, TokenResponse } from './tokens/token.dto.js';
export { SessionsTag } from './session.declarations.js';
export type { EndedUpstream, UpstreamMatch, UpstreamSession } from './upstream/upstream-session.js';
