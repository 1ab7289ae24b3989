import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AbilityModule, MachineScopes } from '../ability/index.js';
import { IamModule, ServiceProfiles } from '../iam/index.js';
import { ServiceAccountRoleEntity } from './accounts/service-account-role.entity.js';
import { ServiceAccountController } from './accounts/service-account.controller.js';
import { ServiceAccountEntity } from './accounts/service-account.entity.js';
import { ServiceAccountPolicy } from './accounts/service-account.policy.js';
import { ServiceAccountRepository } from './accounts/service-account.repository.js';
import { ServiceAccountService } from './accounts/service-account.service.js';
import { ApiKeyController } from './keys/api-key.controller.js';
import { ApiKeyPolicy } from './keys/api-key.policy.js';
import { ApiKeyService } from './keys/api-key.service.js';
import { CredentialDirectory } from './keys/credential-directory.js';
import { CredentialEntity } from './keys/credential.entity.js';
import { CredentialRepository } from './keys/credential.repository.js';
import { KeyExpiry } from './keys/key-expiry.js';
import { KeyIssuer } from './keys/key-issuer.js';
import { KeyUse } from './keys/key-use.js';
import { MachineAuthenticator } from './keys/machine-authenticator.js';
import { PersonalKeyController } from './keys/personal-key.controller.js';
import { PersonalKeyService } from './keys/personal-key.service.js';
import { MachineCleanup } from './machine-cleanup.js';
import { MachineDirectory } from './machine-directory.js';
import { MachineProfiles } from './machine-profiles.js';
import './machine.events.js';

const accounts = [ServiceAccountPolicy, ServiceAccountRepository, ServiceAccountService];
const keys = [
  ApiKeyPolicy,
  ApiKeyService,
  CredentialDirectory,
  CredentialRepository,
  KeyExpiry,
  KeyIssuer,
  KeyUse,
  MachineAuthenticator,
  PersonalKeyService,
];

/** Members of organizations that are programs, and their credentials (ADR 44). */
@Module({
  imports: [
    TypeOrmModule.forFeature([CredentialEntity, ServiceAccountEntity, ServiceAccountRoleEntity]),
    AbilityModule,
    IamModule,
  ],
  controllers: [ServiceAccountController, ApiKeyController, PersonalKeyController],
  providers: [
    ...accounts,
    ...keys,
    MachineCleanup,
    MachineDirectory,
    { provide: MachineScopes, useExisting: MachineDirectory },
    { provide: ServiceProfiles, useClass: MachineProfiles },
  ],
  exports: [MachineAuthenticator],
})
export class MachineModule {}
