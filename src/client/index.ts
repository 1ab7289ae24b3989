export { AgentPolicies, allowsClient } from './agents/agent-policies.js';
export { AGENT_CLIENTS, type AgentClients } from './agents/agent-policy.entity.js';
export type { AgentPolicy } from './agents/agent-policy.repository.js';
export type { ApiScope } from './apis/api.entity.js';
export type { Api } from './apis/api.repository.js';
export { ApiService } from './apis/api.service.js';
export { RegisterApiDto, SetReachDto } from './apis/api.dto.js';
export { LiveApis } from './apis/live-apis.js';
export { ClientModule } from './client.module.js';
export { DocumentFault, hostOfClientUrl, isClientUrl } from './documents/client-document.js';
export { ClientDocuments } from './documents/client-documents.js';
export { RegisterSatelliteDto, UpdateSatelliteDto } from './registry/client.dto.js';
export { hasSatelliteCodes } from './registry/client-protocol.js';
export type { Client } from './registry/client.repository.js';
export { acceptsAlg } from './registry/client-profile.js';
export { type ClientData, ClientService } from './registry/client.service.js';
export { type ClientCredentials, LiveClients } from './registry/live-clients.js';
export { CLIENT_LOGO_URL, clientLogoUrlOf } from './logos/client-logo.fields.js';
export {
  type AccessTokenAlg,
  acceptsMethod,
  type AssertionAudience,
  CLIENT_GRANT_TYPES,
  ID_TOKEN_ALGS,
  REQUEST_AUTH_METHODS,
  type RequestAuthMethod,
  SUBJECT_TYPES,
} from './registry/client-traits.js';
export { ClientStatus } from './status/client-status.js';
export { ApisTag, SatellitesTag } from './client.declarations.js';
export { CLIENT_ID, SATELLITE_NAME } from './client.declarations.js';
export { FIRST_PARTY } from './registry/openid-client.fields.js';
export { ClientIdParam } from './client.declarations.js';
export { TenantClientService } from './tenant-clients/tenant-client.service.js';
export { RegisteredScopes } from './registry/client-scopes.js';
