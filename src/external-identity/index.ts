export { ExternalIdentityModule } from './external-identity.module.js';
export { ProviderRegistry } from './providers/provider.registry.js';
