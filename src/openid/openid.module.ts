import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AbilityModule } from '../ability/index.js';
import { ConnectionModule } from '../connection/index.js';
import { DirectoryModule } from '../directory/index.js';
import { ExternalIdentityModule } from '../external-identity/index.js';
import { FrontlineModule } from '../frontline/index.js';
import { IamModule } from '../iam/index.js';
import { MachineModule } from '../machine/index.js';
import { ClientModule } from '../client/index.js';
import { SessionModule } from '../session/index.js';
import { AgentRepository } from './agents/agent.repository.js';
import { AgentService } from './agents/agent.service.js';
import { PlatformAgentPolicyController } from './agents/platform-agent-policy.controller.js';
import { TenantAgentController } from './agents/tenant-agent.controller.js';
import { ApiIntrospection } from './apis/api-introspection.js';
import { ApiTokens } from './apis/api-tokens.js';
import { AskedApis } from './apis/asked-apis.js';
import { AssertionIssuer } from './assertions/assertion-issuer.js';
import { AssertionTokens } from './assertions/assertion-tokens.js';
import { SubjectTokens } from './assertions/subject-tokens.js';
import { AuthorizedAppsController } from './consents/authorized-apps.controller.js';
import { ConsentEntity } from './consents/consent.entity.js';
import { ConsentRepository } from './consents/consent.repository.js';
import { ConsentWithdrawal } from './consents/consent-withdrawal.js';
import { MemberConsentController } from './consents/member-consent.controller.js';
import { MemberConsents } from './consents/member-consents.js';
import { DecisionController } from './decisions/decision.controller.js';
import { DecisionService } from './decisions/decision.service.js';
import { RequestedSignIn } from './decisions/requested-sign-in.js';
import { TenantChoice } from './decisions/tenant-choice.js';
import { DeviceAuthorizationController } from './devices/device-authorization.controller.js';
import { DeviceAuthorizationEntity } from './devices/device-authorization.entity.js';
import { DeviceAuthorizationRepository } from './devices/device-authorization.repository.js';
import { DeviceCodes } from './devices/device-codes.js';
import { DeviceController } from './devices/device.controller.js';
import { DeviceGrant } from './devices/device-grant.js';
import { DeviceGuessEntity } from './devices/device-guess.entity.js';
import { DeviceGuessRepository } from './devices/device-guess.repository.js';
import { DeviceService } from './devices/device.service.js';
import { DiscoveryController } from './discovery/discovery.controller.js';
import { ProtectedResourceController } from './discovery/protected-resource.controller.js';
import { BackchannelLogout } from './logout/backchannel-logout.js';
import { LogoutController } from './logout/logout.controller.js';
import { LogoutNoticeEntity } from './logout/logout-notice.entity.js';
import { LogoutNoticeRepository } from './logout/logout-notice.repository.js';
import { LogoutRequestController } from './logout/logout-request.controller.js';
import { RelyingPartyLogout } from './logout/relying-party-logout.js';
import { AnswerForms } from './requests/answer-form.js';
import { AnswerPages } from './requests/answer-pages.js';
import { AuthorizationRequestEntity } from './requests/authorization-request.entity.js';
import { AuthorizationRequestRepository } from './requests/authorization-request.repository.js';
import { AuthorizeController } from './requests/authorize.controller.js';
import { AuthorizeService } from './requests/authorize.service.js';
import { ParController } from './requests/par.controller.js';
import { RequestCheck } from './requests/request-check.js';
import { SubjectEntity } from './subjects/subject.entity.js';
import { ClientSessionRepository } from './subjects/client-session.repository.js';
import { SubjectRepository } from './subjects/subject.repository.js';
import { Subjects } from './subjects/subjects.js';
import { ClientAuthenticator } from './token/client-authenticator.js';
import { ClientTokens } from './token/client-tokens.js';
import { GrantTokens } from './token/grant-tokens.js';
import { IdTokens } from './token/id-tokens.js';
import { Introspection } from './token/introspection.js';
import { RequestProof } from './token/oauth-request.js';
import { RefreshGrant } from './token/refresh-grant.js';
import { RequestedResource } from './token/requested-resource.js';
import { RevocationController } from './token/revocation.controller.js';
import { ServiceAccountTokens } from './token/service-account-tokens.js';
import { TokenController } from './token/token.controller.js';
import { TokenExchange } from './token/token-exchange.js';
import { TokenService } from './token/token.service.js';
import { ClaimReader } from './userinfo/claim-reader.js';
import { UserinfoController } from './userinfo/userinfo.controller.js';
import { UserinfoService } from './userinfo/userinfo.service.js';
import './openid.errors.js';
import './openid.events.js';

const entities = [
  AuthorizationRequestEntity,
  ConsentEntity,
  DeviceAuthorizationEntity,
  DeviceGuessEntity,
  LogoutNoticeEntity,
  SubjectEntity,
];

/** OAuth 2.0 and OpenID Connect: clients of people, and tokens for service accounts. */
@Module({
  imports: [
    TypeOrmModule.forFeature(entities),
    AbilityModule,
    ConnectionModule,
    DirectoryModule,
    ExternalIdentityModule,
    FrontlineModule,
    IamModule,
    MachineModule,
    ClientModule,
    SessionModule,
  ],
  controllers: [
    AuthorizeController,
    AuthorizedAppsController,
    DecisionController,
    DeviceAuthorizationController,
    DeviceController,
    DiscoveryController,
    LogoutController,
    LogoutRequestController,
    MemberConsentController,
    ParController,
    PlatformAgentPolicyController,
    ProtectedResourceController,
    RevocationController,
    TenantAgentController,
    TokenController,
    UserinfoController,
  ],
  providers: [
    AgentRepository,
    AgentService,
    AnswerForms,
    AnswerPages,
    ApiIntrospection,
    ApiTokens,
    AskedApis,
    AssertionIssuer,
    AssertionTokens,
    AuthorizationRequestRepository,
    BackchannelLogout,
    AuthorizeService,
    ClaimReader,
    ClientAuthenticator,
    ClientSessionRepository,
    ClientTokens,
    ConsentRepository,
    ConsentWithdrawal,
    DecisionService,
    DeviceAuthorizationRepository,
    DeviceCodes,
    DeviceGrant,
    DeviceGuessRepository,
    DeviceService,
    GrantTokens,
    IdTokens,
    Introspection,
    LogoutNoticeRepository,
    MemberConsents,
    RequestProof,
    RefreshGrant,
    RequestCheck,
    RequestedResource,
    RequestedSignIn,
    ServiceAccountTokens,
    SubjectRepository,
    SubjectTokens,
    Subjects,
    TenantChoice,
    TokenExchange,
    TokenService,
    RelyingPartyLogout,
    UserinfoService,
  ],
  exports: [AnswerPages, AuthorizeService, BackchannelLogout, ClientAuthenticator, IdTokens, Subjects],
})
export class OpenIdModule {}
