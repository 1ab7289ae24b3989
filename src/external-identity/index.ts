export { ExternalIdentityModule } from './external-identity.module.js';
export { KIND_WORDS } from './external.response.js';
export { ExternalProvider } from './providers/external-provider.decorator.js';
export { OAuth2Exchange } from './providers/oauth2-exchange.js';
export { askStrategy } from './providers/passport-strategy.js';
export { jsonOf, requireSubject } from './providers/provider-http.js';
export { ProviderRegistry } from './providers/provider.registry.js';
export {
  SignInError,
  type CallbackParameters,
  type ProvenProfile,
  type ProviderFlow,
  type SignInProvider,
} from './providers/provider.js';
