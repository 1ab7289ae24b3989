export { RegisterPlatformSamlClientDto, UpdateSamlClientDto } from './clients/saml-client.dto.js';
export { SamlClientResponses } from './clients/saml-client-responses.js';
export { SamlClientService } from './clients/saml-client.service.js';
export { ProviderKeys } from './keys/provider-keys.js';
export { SamlProviderModule } from './saml-provider.module.js';
