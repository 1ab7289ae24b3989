import { SessionDataRepository } from './sessions/session-data.repository.js';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JwtModule } from '@nestjs/jwt';
import { AbilityModule } from '../ability/index.js';
import { ClientModule } from '../client/index.js';
import { ConnectionModule } from '../connection/index.js';
import { AuthenticatorModule } from '../authenticator/index.js';
import { IamModule } from '../iam/index.js';
import { MachineModule } from '../machine/index.js';
import { ChallengeEntity } from './second-factor/challenge.entity.js';
import { ChallengeRepository } from './second-factor/challenge.repository.js';
import { FirstFactorService } from './second-factor/first-factor.service.js';
import { PasskeySignInService } from './second-factor/passkey-sign-in.service.js';
import { SecondFactorController } from './second-factor/second-factor.controller.js';
import { SecondFactorService } from './second-factor/second-factor.service.js';
import { Assurers } from './evidence/evidence.js';
import { SessionEntity, SessionEvidenceEntity } from './sessions/session.entity.js';
import { AccessTokenService } from './tokens/access-token.service.js';
import { Authenticator } from './tokens/authenticator.js';
import { TenantAdmission } from './grants/tenant-admission.js';
import { GrantRefreshRepository } from './grants/grant-refresh.repository.js';
import { GrantRepository } from './grants/grant.repository.js';
import { GrantRotation } from './grants/grant-rotation.js';
import { GrantRevocation } from './grants/grant-revocation.js';
import { GrantService } from './grants/grant.service.js';
import { JwksController } from './signing-keys/jwks.controller.js';
import { KnownNetworkRepository } from './sign-in-notices/known-network.repository.js';
import { MachineTokens } from './tokens/machine-tokens.js';
import { DpopNonces } from './tokens/dpop-proofs.js';
import { DpopProofs } from './tokens/dpop-proofs.js';
import { ExpiredSessions } from './sessions/expired-sessions.js';
import { LoginService } from './sessions/login.service.js';
import { LogoutService } from './sessions/logout.service.js';
import { MySessionsController } from './sessions/my-sessions.controller.js';
import { RefreshTokenCodec } from './tokens/refresh-token.js';
import { RefreshService } from './grants/refresh.service.js';
import { SessionLock } from './sessions/session-lock.js';
import { SignInChallenges } from './second-factor/sign-in-challenges.js';
import { SessionLiveness } from './sessions/session-liveness.js';
import { AccountCodeRepository } from './codes/account-code.repository.js';
import { CodeExchange } from './codes/code-exchange.service.js';
import { OneTimeCodeEntity } from './codes/one-time-code.entity.js';
import { OneTimeCodeRepository } from './codes/one-time-code.repository.js';
import { SessionCodeService } from './codes/session-code.service.js';
import { SessionController } from './sessions/session.controller.js';
import { SessionPolicy } from './sessions/session.policy.js';
import { SessionRepository } from './sessions/session.repository.js';
import { SessionService } from './sessions/session.service.js';
import { SignInNotices } from './sign-in-notices/sign-in-notices.js';
import { RsaKeyEntity, SigningKeyEntity } from './signing-keys/signing-key.entity.js';
import { RsaKeyRepository, SigningKeyRepository } from './signing-keys/key-pair.repository.js';
import { RsaKeys } from './signing-keys/rsa-keys.js';
import { SigningKeyService } from './signing-keys/signing-key.service.js';
import { SessionTraces } from './traces/session-traces.service.js';
import { TraceRepository } from './traces/trace.repository.js';
import { StepUpController } from './step-up/step-up.controller.js';
import { ProofConfirmation } from './step-up/proof-confirmation.js';
import { StepUpCodeService } from './step-up/step-up-code.service.js';
import { StepUpOptionsService } from './step-up/step-up-options.service.js';
import { StepUpService } from './step-up/step-up.service.js';
import { TenantSelectionService } from './grants/tenant-selection.service.js';
import { TokenIssuer } from './tokens/token-issuer.js';
import { TokenSigner } from './tokens/token-signer.js';
import { EmailCodeController } from './email-codes/email-code.controller.js';
import { EmailCodeEntity } from './email-codes/email-code.entity.js';
import { EmailCodeMails } from './email-codes/email-code-mails.js';
import { EmailCodeRepository } from './email-codes/email-code.repository.js';
import { EmailSignInCodes } from './email-codes/email-sign-in-codes.js';
import { EmailSignInService } from './email-codes/email-sign-in.service.js';
import { ImpersonationEnd } from './impersonations/impersonation-end.js';
import { ImpersonationExpiry } from './impersonations/impersonation-expiry.js';
import { ImpersonationEntity } from './impersonations/impersonation.entity.js';
import { ImpersonationMails } from './impersonations/impersonation-mails.js';
import { ImpersonationRepository } from './impersonations/impersonation.repository.js';
import { ImpersonationService } from './impersonations/impersonation.service.js';
import { GrantEntity } from './grants/grant.entity.js';
import { KnownNetworkEntity } from './sign-in-notices/known-network.entity.js';
import { UpstreamSessionEntity } from './upstream/upstream-session.entity.js';
import { UpstreamSignOut } from './upstream/upstream-sign-out.js';
import { UpstreamSessionRepository } from './upstream/upstream-session.repository.js';
import { InvitedRegistrationController } from './invited/invited-registration.controller.js';
import { InvitedRegistrationService } from './invited/invited-registration.service.js';
import './session.errors.js';
import './session.events.js';

const entities = [
  ChallengeEntity,
  EmailCodeEntity,
  GrantEntity,
  ImpersonationEntity,
  KnownNetworkEntity,
  OneTimeCodeEntity,
  RsaKeyEntity,
  SessionEntity,
  SessionEvidenceEntity,
  SigningKeyEntity,
  UpstreamSessionEntity,
];

@Module({
  imports: [
    TypeOrmModule.forFeature(entities),
    AbilityModule,
    IamModule,
    AuthenticatorModule,
    MachineModule,
    ClientModule,
    ConnectionModule,
    JwtModule.register({}),
  ],
  controllers: [
    SessionController,
    SecondFactorController,
    StepUpController,
    EmailCodeController,
    InvitedRegistrationController,
    MySessionsController,
    JwksController,
  ],
  providers: [
    AccessTokenService,
    Assurers,
    Authenticator,
    ChallengeRepository,
    CodeExchange,
    DpopNonces,
    DpopProofs,
    EmailCodeMails,
    EmailCodeRepository,
    EmailSignInCodes,
    EmailSignInService,
    ExpiredSessions,
    FirstFactorService,
    GrantRevocation,
    GrantRefreshRepository,
    GrantRepository,
    GrantRotation,
    GrantService,
    ImpersonationEnd,
    ImpersonationExpiry,
    ImpersonationMails,
    ImpersonationRepository,
    ImpersonationService,
    InvitedRegistrationService,
    KnownNetworkRepository,
    LoginService,
    LogoutService,
    MachineTokens,
    AccountCodeRepository,
    OneTimeCodeRepository,
    PasskeySignInService,
    RefreshService,
    RefreshTokenCodec,
    RsaKeyRepository,
    RsaKeys,
    SecondFactorService,
    SessionCodeService,
    SessionLiveness,
    SessionLock,
    SessionPolicy,
    SessionRepository,
    SessionDataRepository,
    SessionService,
    SessionTraces,
    TraceRepository,
    SignInChallenges,
    SignInNotices,
    SigningKeyRepository,
    SigningKeyService,
    ProofConfirmation,
    StepUpCodeService,
    StepUpOptionsService,
    StepUpService,
    TenantAdmission,
    TenantSelectionService,
    TokenIssuer,
    TokenSigner,
    UpstreamSessionRepository,
    UpstreamSignOut,
  ],
  exports: [
    AccessTokenService,
    AccountCodeRepository,
    Authenticator,
    CodeExchange,
    DpopNonces,
    DpopProofs,
    FirstFactorService,
    GrantRevocation,
    GrantRotation,
    GrantService,
    ImpersonationEnd,
    ImpersonationService,
    LogoutService,
    MachineTokens,
    RefreshService,
    RsaKeys,
    TenantAdmission,
    SessionCodeService,
    SessionLock,
    SessionService,
    SigningKeyService,
    TokenIssuer,
    TokenSigner,
    UpstreamSignOut,
  ],
})
export class SessionModule {}
