import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AbilityModule } from '../ability/index.js';
import { ClientModule } from '../client/index.js';
import { DirectoryModule } from '../directory/index.js';
import { ExternalIdentityModule } from '../external-identity/index.js';
import { FrontlineModule } from '../frontline/index.js';
import { IamModule } from '../iam/index.js';
import { OpenIdModule } from '../openid/index.js';
import { SessionModule } from '../session/index.js';
import { SamlClientController, TenantSamlClientController } from './clients/saml-client.controller.js';
import { SamlClientEntity } from './clients/saml-client.entity.js';
import { SamlClientRepository } from './clients/saml-client.repository.js';
import { SamlClientResponses } from './clients/saml-client-responses.js';
import { SamlClientService } from './clients/saml-client.service.js';
import { ProviderKeyEntity } from './keys/provider-key.entity.js';
import { ProviderKeyRepository } from './keys/provider-key.repository.js';
import { ProviderKeys } from './keys/provider-keys.js';
import { LogoutMessages } from './logout/logout-messages.js';
import { SamlLogoutController } from './logout/saml-logout.controller.js';
import { SamlLogoutService } from './logout/saml-logout.service.js';
import { SamlSessionEntity } from './logout/saml-session.entity.js';
import { SamlSessionRepository } from './logout/saml-session.repository.js';
import { NameIds } from './messages/name-ids.js';
import { IdpMetadataController } from './metadata/idp-metadata.controller.js';
import { ReleasedAttributes } from './sign-in/released-attributes.js';
import { SamlRequestEntity } from './sign-in/saml-request.entity.js';
import { SamlRequestRepository } from './sign-in/saml-request.repository.js';
import { SamlResponses } from './sign-in/saml-responses.js';
import { SamlSignInController } from './sign-in/saml-sign-in.controller.js';
import { SamlSignInService } from './sign-in/saml-sign-in.service.js';

/** This service as the identity provider of apps that speak SAML 2.0. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ProviderKeyEntity, SamlClientEntity, SamlRequestEntity, SamlSessionEntity]),
    AbilityModule,
    ClientModule,
    DirectoryModule,
    ExternalIdentityModule,
    FrontlineModule,
    IamModule,
    OpenIdModule,
    SessionModule,
  ],
  controllers: [
    IdpMetadataController,
    SamlClientController,
    SamlLogoutController,
    SamlSignInController,
    TenantSamlClientController,
  ],
  providers: [
    LogoutMessages,
    NameIds,
    ProviderKeyRepository,
    ProviderKeys,
    ReleasedAttributes,
    SamlClientRepository,
    SamlClientResponses,
    SamlClientService,
    SamlLogoutService,
    SamlRequestRepository,
    SamlResponses,
    SamlSessionRepository,
    SamlSignInService,
  ],
})
export class SamlProviderModule {}
