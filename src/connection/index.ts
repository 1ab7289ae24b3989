export { ConnectionModule } from './connection.module.js';
export { BySetupLink, setSetupLink, SetupLinkMark, UsedLink } from './setup/setup-access.js';
export type { SetupIntent } from './setup/setup-link.entity.js';
export type { SetupLink } from './setup/setup-link.repository.js';
export { SetupLinks, type UsedSetupLink } from './setup/setup-links.js';
export { DomainReview } from './domains/domain-review.js';
export { SetupTag, SingleSignOnTag } from './connection.declarations.js';
export { ConnectionDirectory } from './connections/connection-directory.js';
export { END_SESSIONS, type SessionsToEnd } from './connections/connection.js';
export { ConnectionHealth } from './connections/connection-health.js';
export { hasExpiredMetadata, METADATA_EXPIRED } from './metadata/metadata-expiry.js';
export { MetadataRefresh } from './metadata/metadata-refresh.js';
export type {
  AcceptedCertificate,
  Connection,
  ConnectionKind,
  OidcConnection,
  OidcSettings,
  Provisioning,
  Rule,
  SamlConnection,
} from './connections/connection.js';
export { areUndecided, provisionBy, type Provisioned, type ReadAttributes } from './rules/rule-match.js';
export {
  type ConnectionTest,
  ConnectionTestRepository,
  type TestResult,
  type TestStep,
} from './tests/connection-test.repository.js';
export { checkCertificate } from './certificates/certificate-check.js';
export {
  certificatesOf,
  childrenOf,
  findEntities,
  locationOf,
  parseMetadata,
} from './metadata/metadata-xml.js';
export { EXAMPLE_PEM } from './connections/certificate.fields.js';
