import { Module } from '@nestjs/common';
import { AccountMails } from './accounts/account-mails.js';
import { AccountRepository } from './accounts/account.repository.js';
import { AccountService } from './accounts/account.service.js';
import { AuthController } from './accounts/auth.controller.js';
import { CredentialService } from './accounts/credential.service.js';
import { LoginThrottle } from './accounts/login-throttle.js';
import { MeController } from './accounts/me.controller.js';
import { PasswordHasher } from './accounts/password-hasher.js';
import { PasswordResetRepository } from './accounts/password-reset.repository.js';
import { PendingRegistrationRepository } from './accounts/pending-registration.repository.js';
import { RegistrationService } from './accounts/registration.service.js';

@Module({
  controllers: [AuthController, MeController],
  providers: [
    AccountMails,
    AccountRepository,
    AccountService,
    CredentialService,
    LoginThrottle,
    PasswordHasher,
    PasswordResetRepository,
    PendingRegistrationRepository,
    RegistrationService,
  ],
  exports: [AccountService, CredentialService],
})
export class IamModule {}
