import { Module } from '@nestjs/common';
import { AbilityModule } from '../ability/index.js';
import { AuthenticatorModule } from '../authenticator/index.js';
import { ExternalIdentityModule } from '../external-identity/index.js';
import { IamModule } from '../iam/index.js';
import { SignInPolicyController } from './sign-in-policy.controller.js';
import { SignInPolicyService } from './sign-in-policy.service.js';

/** The change of a sign-in policy, which needs second factors and connections of members. */
@Module({
  imports: [AbilityModule, AuthenticatorModule, ExternalIdentityModule, IamModule],
  controllers: [SignInPolicyController],
  providers: [SignInPolicyService],
})
export class SignInPolicyModule {}
