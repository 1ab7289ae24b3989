import { IdentityImport } from './linking/identity-import.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AbilityModule } from '../ability/index.js';
import { AuthenticatorModule } from '../authenticator/index.js';
import { ConnectionModule } from '../connection/index.js';
import { IamModule } from '../iam/index.js';
import { SessionModule } from '../session/index.js';
import { AssertedSignIn } from './assertions/asserted-sign-in.js';
import { AssertionVerifier } from './assertions/assertion-verifier.js';
import { ExternalAccounts } from './flow/external-accounts.js';
import { ExternalEntry } from './flow/external-entry.js';
import { IdentityLinkService } from './linking/identity-link.service.js';
import { BrowserCookie } from './browser-cookie.js';
import { ExternalController } from './external.controller.js';
import { CallbackVerification } from './flow/callback-verification.js';
import { UnsolicitedResponses } from './flow/unsolicited-responses.js';
import { CallbackService } from './flow/callback.service.js';
import { ExternalCodeService } from './flow/code/code.service.js';
import { FlowConnections } from './flow/flow-connections.js';
import { FlowMetrics } from './flow/flow-metrics.js';
import { FlowRepository } from './flow/flow.repository.js';
import { FormPostRepository } from './flow/form-post/form-post.repository.js';
import { FormPostStore } from './flow/form-post/form-post-store.js';
import { EnforcementConditions } from './flow/enforcement-conditions.js';
import { ProvisioningService } from './flow/provisioning.service.js';
import { ProviderFlows } from './flow/provider-flows.js';
import { ReturnService } from './flow/return/return.service.js';
import { ReturnUris } from './flow/return/return-uris.js';
import { SignInService } from './flow/sign-in.service.js';
import { StartService } from './flow/start.service.js';
import { StateCodec, StateStore } from './flow/state/state-store.js';
import { StateRepository } from './flow/state/state.repository.js';
import { HostedController } from './hosted/hosted.controller.js';
import { HostedSignInService } from './hosted/hosted-sign-in.service.js';
import { IdentitiesController } from './identities.controller.js';
import { IdentityPolicy } from './linking/identity.policy.js';
import { IdentityRepository } from './linking/identity.repository.js';
import { IdentityLinks } from './linking/identity-links.js';
import { IdentityRemoval } from './linking/identity-removal.js';
import { IdentityService } from './linking/identity.service.js';
import { OtherSignIns } from './linking/other-sign-ins.js';
import { WithdrawnIdentities } from './notices/withdrawn-identities.js';
import { LinkCodeService } from './linking/link-code.service.js';
import { LinkMails } from './linking/link-mails.js';
import { LinkingService } from './linking/linking.service.js';
import { SignInOptions } from './options/sign-in-options.js';
import { SignInOptionsController } from './options/sign-in-options.controller.js';
import { ProviderGrants } from './linking/provider-grants.js';
import { DeletionCodes } from './notices/deletion-codes.js';
import { NoticeService } from './notices/notice.service.js';
import { NoticesController } from './notices/notices.controller.js';
import { AppleStrategy } from './providers/apple/apple.strategy.js';
import { FacebookStrategy } from './providers/facebook/facebook.strategy.js';
import { GoogleStrategy } from './providers/google/google.strategy.js';
import { ConnectionKeyEntity } from './providers/keys/connection-key.entity.js';
import { ConnectionKeyRepository } from './providers/keys/connection-key.repository.js';
import { ConnectionKeys } from './providers/keys/connection-keys.js';
import { OidcKeysController } from './providers/oidc/oidc-keys.controller.js';
import { OidcStrategy } from './providers/oidc/oidc.strategy.js';
import { ProviderRegistry } from './providers/provider.registry.js';
import { SamlMetadataController } from './providers/saml/saml-metadata.controller.js';
import { SamlRequestController } from './providers/saml/saml-request.controller.js';
import { SamlRequestPages } from './providers/saml/saml-request-pages.js';
import { SamlStrategy } from './providers/saml/saml.strategy.js';
import { SetupTestController, TestController } from './tests/test.controller.js';
import { TestEndService } from './tests/test-end.service.js';
import { TestSignInService } from './tests/test-sign-in.service.js';
import {
  BackchannelLogoutController,
  SamlLogoutController,
  UpstreamSignalController,
} from './upstream/upstream-logout.controller.js';
import { UpstreamSessionEnd } from './upstream/upstream-session-end.js';
import { LogoutController } from './upstream/logout.controller.js';
import { ProviderLogouts } from './upstream/provider-logouts.js';
import { UpstreamLogoutService } from './upstream/upstream-logout.service.js';
import { UpstreamSessions } from './upstream/upstream-sessions.js';
import { ExternalIdentityEntity } from './linking/identity.entity.js';
import { ExternalFlowEntity, ExternalProofEntity } from './flow/flow.entity.js';
import { FormPostEntity } from './flow/form-post/form-post.entity.js';
import { ExternalStateEntity } from './flow/state/state.entity.js';

const entities = [
  ConnectionKeyEntity,
  ExternalIdentityEntity,
  ExternalFlowEntity,
  ExternalProofEntity,
  FormPostEntity,
  ExternalStateEntity,
];

/** External sign-in, and the external identities of accounts. */
@Module({
  imports: [
    TypeOrmModule.forFeature(entities),
    AbilityModule,
    AuthenticatorModule,
    ConnectionModule,
    IamModule,
    SessionModule,
  ],
  controllers: [
    BackchannelLogoutController,
    UpstreamSignalController,
    ExternalController,
    HostedController,
    IdentitiesController,
    LogoutController,
    NoticesController,
    OidcKeysController,
    SamlLogoutController,
    SamlMetadataController,
    SamlRequestController,
    SetupTestController,
    SignInOptionsController,
    TestController,
  ],
  providers: [
    AppleStrategy,
    AssertedSignIn,
    AssertionVerifier,
    BrowserCookie,
    CallbackService,
    CallbackVerification,
    ConnectionKeyRepository,
    ConnectionKeys,
    DeletionCodes,
    ExternalCodeService,
    FacebookStrategy,
    FlowConnections,
    EnforcementConditions,
    FlowMetrics,
    FlowRepository,
    GoogleStrategy,
    HostedSignInService,
    IdentityImport,
    IdentityPolicy,
    IdentityRepository,
    ExternalAccounts,
    ExternalEntry,
    IdentityLinkService,
    IdentityLinks,
    IdentityService,
    LinkCodeService,
    LinkMails,
    LinkingService,
    IdentityRemoval,
    NoticeService,
    OtherSignIns,
    WithdrawnIdentities,
    OidcStrategy,
    FormPostRepository,
    FormPostStore,
    ProviderFlows,
    ProviderGrants,
    ProviderLogouts,
    ProviderRegistry,
    ProvisioningService,
    ReturnService,
    ReturnUris,
    SamlRequestPages,
    SamlStrategy,
    SignInOptions,
    SignInService,
    StartService,
    StateCodec,
    StateRepository,
    StateStore,
    TestEndService,
    TestSignInService,
    UnsolicitedResponses,
    UpstreamLogoutService,
    UpstreamSessionEnd,
    UpstreamSessions,
  ],
  exports: [
    AssertedSignIn,
    AssertionVerifier,
    ConnectionKeys,
    EnforcementConditions,
    IdentityService,
    ProviderRegistry,
  ],
})
export class ExternalIdentityModule {}
