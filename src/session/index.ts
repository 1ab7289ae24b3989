export { Authenticator } from './authenticator.js';
export { SessionModule } from './session.module.js';
export { SigningKeyService } from './signing-key.service.js';
