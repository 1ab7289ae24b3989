export { Authenticator } from './authenticator.js';
export { ClientStanding } from './client-standing.js';
export type { GrantView } from './grant.repository.js';
export { Handover } from './handover.service.js';
export { SessionModule } from './session.module.js';
export { SessionService } from './session.service.js';
export { SigningKeyService } from './signing-key.service.js';
export { TokenIssuer } from './token-issuer.js';
export { TokenResponse } from './token.response.js';
