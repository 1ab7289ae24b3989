import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { AbilityModule } from '../ability/index.js';
import { IamModule } from '../iam/index.js';
import { AccessTokenService } from './access-token.service.js';
import { Authenticator } from './authenticator.js';
import { ClientStanding } from './client-standing.js';
import { DisabledClientRepository } from './disabled-client.repository.js';
import { GrantRepository } from './grant.repository.js';
import { Handover } from './handover.service.js';
import { JwksController } from './jwks.controller.js';
import { KnownNetworkRepository } from './known-network.repository.js';
import { LoginService } from './login.service.js';
import { LogoutService } from './logout.service.js';
import { MySessionsController } from './my-sessions.controller.js';
import { RefreshTokenCodec } from './refresh-token.js';
import { RefreshService } from './refresh.service.js';
import { SessionLiveness } from './session-liveness.js';
import { SessionController } from './session.controller.js';
import { SessionPolicy } from './session.policy.js';
import { SessionRepository } from './session.repository.js';
import { SessionService } from './session.service.js';
import { SignInNotices } from './sign-in-notices.js';
import { SigningKeyRepository } from './signing-key.repository.js';
import { SigningKeyService } from './signing-key.service.js';
import { StepUpController } from './step-up.controller.js';
import { StepUpService } from './step-up.service.js';
import { TenantSelection } from './tenant-selection.service.js';
import { TokenIssuer } from './token-issuer.js';

@Module({
  imports: [AbilityModule, IamModule, JwtModule.register({})],
  controllers: [SessionController, StepUpController, MySessionsController, JwksController],
  providers: [
    AccessTokenService,
    Authenticator,
    ClientStanding,
    DisabledClientRepository,
    GrantRepository,
    Handover,
    KnownNetworkRepository,
    LoginService,
    LogoutService,
    RefreshService,
    RefreshTokenCodec,
    SessionLiveness,
    SessionPolicy,
    SessionRepository,
    SessionService,
    SignInNotices,
    SigningKeyRepository,
    SigningKeyService,
    StepUpService,
    TenantSelection,
    TokenIssuer,
  ],
  exports: [
    Authenticator,
    ClientStanding,
    Handover,
    LogoutService,
    RefreshService,
    SessionService,
    SigningKeyService,
    TokenIssuer,
  ],
})
export class SessionModule {}
