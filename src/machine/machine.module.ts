import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AbilityModule } from '../ability/index.js';
import { IamModule } from '../iam/index.js';
import { ServiceAccountEntity, ServiceAccountRoleEntity } from './accounts/service-account.entity.js';
import { ServiceAccountController } from './accounts/service-account.controller.js';
import {
  ApiKeyPolicy,
  KeyPolicyPolicy,
  ServiceAccountPolicy,
  TrustRulePolicy,
} from './accounts/service-account.policy.js';
import { ServiceAccountRepository } from './accounts/service-account.repository.js';
import { ServiceAccountOperations } from './accounts/service-account-operations.js';
import { ServiceAccountService } from './accounts/service-account.service.js';
import { ApiKeyService } from './keys/api-key.service.js';
import { CredentialDirectory } from './keys/credential-directory.js';
import { ClientAssertions } from './clients/client-assertions.js';
import { ClientAuthentication } from './clients/client-authentication.js';
import { ClientCredentialService } from './clients/client-credential.service.js';
import { ClientDirectory } from './clients/client-directory.js';
import { ClientKeys } from './clients/client-keys.js';
import { UsedAssertionRepository } from './clients/used-assertion.repository.js';
import { CredentialEntity, EndedKeyEntity, UsedAssertionEntity } from './keys/credential.entity.js';
import { LeakedKeyController } from './leaks/leaked-key.controller.js';
import { LeakedKeyMails } from './leaks/leaked-key-mails.js';
import { LeakedKeyService } from './leaks/leaked-key.service.js';
import { CredentialRepository } from './keys/credential.repository.js';
import { CredentialController } from './keys/credential.controller.js';
import { KeyIssuer } from './keys/key-issuer.js';
import { KeyUse } from './keys/key-use.js';
import { MachineAuthenticator } from './keys/machine-authenticator.js';
import { PersonalKeyController } from './keys/personal-key.controller.js';
import { PersonalKeyService } from './keys/personal-key.service.js';
import { MachineCleanup } from './machine-cleanup.js';
import { MachineDirectory } from './machine-directory.js';
import { Federation } from './trust/federation.js';
import { LiveTrustRules } from './trust/live-trust-rules.js';
import { IssuerKeys } from './trust/issuer-keys.js';
import { TrustRuleController } from './trust/trust-rule.controller.js';
import { TrustRuleEntity } from './trust/trust-rule.entity.js';
import { TrustRuleRepository } from './trust/trust-rule.repository.js';
import { TrustRuleService } from './trust/trust-rule.service.js';
import { KeyPolicyController } from './policy/key-policy.controller.js';
import { KeyPolicyEntity } from './policy/key-policy.entity.js';
import { KeyPolicyRepository } from './policy/key-policy.repository.js';
import { KeyPolicyService } from './policy/key-policy.service.js';
import { PlatformAccountEntity, PlatformKeyEntity } from './platform/platform-account.entity.js';
import { PlatformAccountRepository } from './platform/platform-account.repository.js';
import { PlatformAccountService } from './platform/platform-account.service.js';
import { PlatformDirectory } from './platform/platform-directory.js';
import { PlatformKeyExpiry } from './platform/platform-key-expiry.js';
import './machine.events.js';

const accounts = [
  ServiceAccountOperations,
  ServiceAccountPolicy,
  ServiceAccountRepository,
  ServiceAccountService,
];
const trust = [
  Federation,
  IssuerKeys,
  LiveTrustRules,
  TrustRulePolicy,
  TrustRuleRepository,
  TrustRuleService,
];
const policy = [KeyPolicyPolicy, KeyPolicyRepository, KeyPolicyService];
const platform = [PlatformAccountRepository, PlatformAccountService, PlatformDirectory, PlatformKeyExpiry];
const clients = [
  ClientAssertions,
  ClientAuthentication,
  ClientCredentialService,
  ClientDirectory,
  ClientKeys,
  UsedAssertionRepository,
];
const keys = [
  ApiKeyPolicy,
  ApiKeyService,
  CredentialDirectory,
  CredentialRepository,
  KeyIssuer,
  KeyUse,
  MachineAuthenticator,
  PersonalKeyService,
];

/** Members of organizations that are programs, and their credentials (ADR 44). */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      CredentialEntity,
      EndedKeyEntity,
      KeyPolicyEntity,
      PlatformAccountEntity,
      PlatformKeyEntity,
      ServiceAccountEntity,
      ServiceAccountRoleEntity,
      TrustRuleEntity,
      UsedAssertionEntity,
    ]),
    AbilityModule,
    IamModule,
  ],
  controllers: [
    ServiceAccountController,
    CredentialController,
    TrustRuleController,
    PersonalKeyController,
    LeakedKeyController,
    KeyPolicyController,
  ],
  providers: [
    ...accounts,
    ...keys,
    ...clients,
    ...trust,
    ...policy,
    ...platform,
    LeakedKeyMails,
    LeakedKeyService,
    MachineCleanup,
    MachineDirectory,
  ],
  exports: [
    ClientAssertions,
    UsedAssertionRepository,
    ClientAuthentication,
    Federation,
    MachineAuthenticator,
    MachineDirectory,
  ],
})
export class MachineModule {}
