export { ExternalIdentityModule } from './external-identity.module.js';
