export { AssertedSignIn } from './assertions/asserted-sign-in.js';
export { AssertionVerifier, type TrustedAssertion } from './assertions/assertion-verifier.js';
export { ExternalIdentityModule } from './external-identity.module.js';
export { IdentityResponse, KIND_WORDS } from './external.dto.js';
export type { Identity } from './linking/identity.repository.js';
export { IdentityService } from './linking/identity.service.js';
export { EnforcementConditions } from './flow/enforcement-conditions.js';
export { ExternalProvider } from './providers/provider.registry.js';
export { ConnectionKeys } from './providers/keys/connection-keys.js';
export { RotateConnectionKeyDto } from './providers/keys/connection-key.dto.js';
export { FlowStrategy } from './providers/flow-strategy.js';
export { OAuth2CodeFlow } from './providers/oauth2-code-flow.js';
export { jsonOf, requireSubject } from './providers/provider-http.js';
export { ProviderRegistry } from './providers/provider.registry.js';
export { Unregistered } from './providers/flow-strategy.js';
export { readDocument, parseStrictly } from './providers/saml/checks/saml-document.js';
export { requireSigned } from './providers/saml/checks/saml-forgery.js';
export { demand, SamlRefusal } from './providers/saml/checks/saml-refusal.js';
export { checkIssuer, checkVersion } from './providers/saml/checks/saml-response.js';
export { hasSignature, requireForm } from './providers/saml/checks/saml-structure.js';
export { checkIssued, checkWindow } from './providers/saml/checks/saml-times.js';
export {
  allChildren,
  ASSERTION,
  attributeOf,
  childrenOf,
  onlyChild,
  PROTOCOL,
  textOf,
} from './providers/saml/checks/saml-xml.js';
export { generateCertifiedKey } from './providers/saml/saml-certificate.js';
export { escapeXml } from './providers/saml/logout/saml-logout-messages.js';
export { type Delivery, deliveryOf, refuseHead } from './providers/delivery.js';
export { readRedirected, signedAddress } from './providers/saml/logout/saml-redirect.js';
export { SIGN_IN_ERRORS } from './providers/provider.js';
export {
  SignInError,
  type CallbackParameters,
  type FlowStep,
  type ProvenProfile,
  type ProviderFlow,
  type SignInStrategy,
} from './providers/provider.js';
