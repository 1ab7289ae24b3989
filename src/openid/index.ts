export { AgentService } from './agents/agent.service.js';
export { OpenIdModule } from './openid.module.js';
export { type NamedClient, sidOf, Subjects } from './subjects/subjects.js';
export { ClientAuthenticator } from './token/client-authenticator.js';
export { IdTokens } from './token/id-tokens.js';
export { OAuthError } from './token/oauth-error.js';
