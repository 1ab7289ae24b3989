export { SamlProviderModule } from './saml-provider.module.js';
