import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IamModule } from '../iam/index.js';
import { SessionModule } from '../session/index.js';
import { BrowserCookie } from './browser-cookie.js';
import { ExternalController } from './external.controller.js';
import { CallbackService } from './flow/callback.service.js';
import { ExternalCodeRepository } from './flow/code.repository.js';
import { ExternalCodeService } from './flow/code.service.js';
import { FlowMetrics } from './flow/flow-metrics.js';
import { FlowRepository } from './flow/flow.repository.js';
import { FormPostRepository } from './flow/form-post.repository.js';
import { FormPostStore } from './flow/form-post-store.js';
import { ProviderFlows } from './flow/provider-flows.js';
import { ReturnUris } from './flow/return-uris.js';
import { SignInService } from './flow/sign-in.service.js';
import { StartService } from './flow/start.service.js';
import { StateCodec } from './flow/state.js';
import { StateRepository } from './flow/state.repository.js';
import { StateStore } from './flow/state-store.js';
import { IdentitiesController } from './identities.controller.js';
import { IdentityPolicy } from './linking/identity.policy.js';
import { IdentityRepository } from './linking/identity.repository.js';
import { IdentityService } from './linking/identity.service.js';
import { LinkCodeRepository } from './linking/link-code.repository.js';
import { LinkCodeService } from './linking/link-code.service.js';
import { LinkMails } from './linking/link-mails.js';
import { LinkingService } from './linking/linking.service.js';
import { AppleProvider } from './providers/apple/apple.provider.js';
import { FacebookProvider } from './providers/facebook/facebook.provider.js';
import { GoogleProvider } from './providers/google/google.provider.js';
import { OidcProvider } from './providers/oidc/oidc.provider.js';
import { ProviderRegistry } from './providers/provider.registry.js';
import { SamlKeyRepository } from './providers/saml/saml-key.repository.js';
import { SamlKeyService } from './providers/saml/saml-key.service.js';
import { SamlMetadataController } from './providers/saml/saml-metadata.controller.js';
import { SamlProvider } from './providers/saml/saml.provider.js';
import { ExternalIdentityEntity } from './linking/identity.entity.js';
import { LinkCodeEntity } from './linking/link-code.entity.js';
import { ExternalCodeEntity } from './flow/code.entity.js';
import { ExternalFlowEntity } from './flow/flow.entity.js';
import { ExternalProofEntity } from './flow/proof.entity.js';
import { FormPostEntity } from './flow/form-post.entity.js';
import { ExternalStateEntity } from './flow/state.entity.js';
import { SamlKeyEntity } from './providers/saml/saml-key.entity.js';

const entities = [
  ExternalIdentityEntity,
  LinkCodeEntity,
  ExternalCodeEntity,
  ExternalFlowEntity,
  ExternalProofEntity,
  FormPostEntity,
  ExternalStateEntity,
  SamlKeyEntity,
];

/** Sign-in by identities that people have elsewhere. */
@Module({
  imports: [TypeOrmModule.forFeature(entities), IamModule, SessionModule],
  controllers: [ExternalController, IdentitiesController, SamlMetadataController],
  providers: [
    AppleProvider,
    BrowserCookie,
    CallbackService,
    ExternalCodeRepository,
    ExternalCodeService,
    FacebookProvider,
    FlowMetrics,
    FlowRepository,
    GoogleProvider,
    IdentityPolicy,
    IdentityRepository,
    IdentityService,
    LinkCodeRepository,
    LinkCodeService,
    LinkMails,
    LinkingService,
    OidcProvider,
    FormPostRepository,
    FormPostStore,
    ProviderFlows,
    ProviderRegistry,
    ReturnUris,
    SamlKeyRepository,
    SamlKeyService,
    SamlProvider,
    SignInService,
    StartService,
    StateCodec,
    StateRepository,
    StateStore,
  ],
  exports: [ProviderRegistry],
})
export class ExternalIdentityModule {}
