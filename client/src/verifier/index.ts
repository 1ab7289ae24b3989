export { type Acr, type AuthenticationNeed, isSufficient } from '../authentication.js';
export type { Scope, Verdict, Verdicts } from '../abilities.js';
export type { AccessToken } from './access-token.js';
export { InvalidTokenError, UnavailableError } from './errors.js';
export {
  ProtectedResource,
  type ProtectedResourceOptions,
  type ResourceMetadata,
  type ResourceRefusal,
} from './protected-resource.js';
export { RevocationFeed, type RevocationFeedOptions, type SecurityEvent } from './revocation-feed.js';
export { Verifier, type VerifierOptions } from './verifier.js';
