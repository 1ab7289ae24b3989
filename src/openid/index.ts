export { AgentService } from './agents/agent.service.js';
export { IdTokenKeys } from './keys/id-token-keys.js';
export { OpenIdModule } from './openid.module.js';
