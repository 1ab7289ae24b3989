export { AgentService } from './agents/agent.service.js';
export { OpenIdModule } from './openid.module.js';
