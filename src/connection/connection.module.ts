import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AbilityModule } from '../ability/index.js';
import { IamModule } from '../iam/index.js';
import { CertificateEntity } from './certificates/certificate.entity.js';
import { CertificateController } from './certificates/certificate.controller.js';
import { CertificateRepository } from './certificates/certificate.repository.js';
import { CertificateService } from './certificates/certificate.service.js';
import { CertificateWarnings } from './certificates/certificate-warnings.js';
import { ChangeController } from './changes/change.controller.js';
import { ChangeDecisionService } from './changes/change-decision.service.js';
import { ChangeEntity } from './changes/change.entity.js';
import { ChangeMails } from './changes/change-mails.js';
import { ChangeRepository } from './changes/change.repository.js';
import { ConnectionChanges } from './changes/connection-changes.js';
import { MetadataFetcher } from './metadata/metadata-fetcher.js';
import { MetadataInterceptor } from './metadata/metadata.interceptor.js';
import { MetadataRefresh } from './metadata/metadata-refresh.js';
import { MetadataUpdate } from './metadata/metadata-update.js';
import { MetadataRepository } from './metadata/metadata.repository.js';
import { ConnectionCleanup } from './connection-cleanup.js';
import { ConnectionSignInsController } from './connections/connection-sign-ins.controller.js';
import { ConnectionController } from './connections/connection.controller.js';
import { ConnectionDirectory } from './connections/connection-directory.js';
import {
  ConnectionEntity,
  OidcConnectionEntity,
  SamlConnectionEntity,
} from './connections/connection.entity.js';
import { ConnectionHealthRepository } from './connections/connection-health.repository.js';
import { ConnectionHealth } from './connections/connection-health.js';
import { ConnectionPolicy } from './connections/connection.policy.js';
import { ConnectionReach } from './connections/connection-reach.js';
import { ConnectionRepository } from './connections/connection.repository.js';
import { ConnectionSettingsRepository } from './connections/connection-settings.repository.js';
import { ConnectionStatusService } from './connections/connection-status.service.js';
import { ConnectionService } from './connections/connection.service.js';
import { ConnectionCheck } from './connections/connection-check.js';
import { ConnectionDomainEntity, DomainEntity } from './domains/domain.entity.js';
import { DomainController } from './domains/domain.controller.js';
import { DomainLookup } from './domains/domain-lookup.js';
import { DomainPolicy } from './domains/domain.policy.js';
import { DomainRepository } from './domains/domain.repository.js';
import { DomainReview } from './domains/domain-review.js';
import { DomainService } from './domains/domain.service.js';
import { LookupInterceptor } from './domains/lookup.interceptor.js';
import { ConnectionEnforcement } from './enforcement/connection-enforcement.js';
import { EmergencyNotices } from './enforcement/emergency-notices.js';
import { RuleController } from './rules/rule.controller.js';
import { RuleRepository } from './rules/rule.repository.js';
import { RuleService } from './rules/rule.service.js';
import { RuleEntity } from './rules/rule.entity.js';
import { SetupLinkEntity } from './setup/setup-link.entity.js';
import { SetupConnectionController } from './setup/setup-connection.controller.js';
import { SetupController } from './setup/setup.controller.js';
import { SetupLinkController } from './setup/setup-link.controller.js';
import { SetupLinkCheck } from './setup/setup-link-check.js';
import { SetupLinkMails } from './setup/setup-link-mails.js';
import { SetupLinkPolicy } from './setup/setup-link.policy.js';
import { SetupLinkRepository } from './setup/setup-link.repository.js';
import { SetupLinks } from './setup/setup-links.js';
import { SetupLinkService } from './setup/setup-link.service.js';
import { SetupService } from './setup/setup.service.js';
import { ConnectionTestRepository } from './tests/connection-test.repository.js';
import { TestEntity } from './tests/test.entity.js';

const entities = [
  CertificateEntity,
  ChangeEntity,
  ConnectionDomainEntity,
  ConnectionEntity,
  DomainEntity,
  OidcConnectionEntity,
  RuleEntity,
  SamlConnectionEntity,
  SetupLinkEntity,
  TestEntity,
];
const domains = [DomainLookup, DomainPolicy, DomainRepository, DomainService, LookupInterceptor];
const connections = [
  ConnectionPolicy,
  ConnectionReach,
  ConnectionRepository,
  ConnectionSettingsRepository,
  ConnectionService,
  ConnectionStatusService,
  ConnectionEnforcement,
  ConnectionCheck,
  ConnectionHealthRepository,
  RuleRepository,
  RuleService,
  CertificateRepository,
  CertificateService,
  ChangeDecisionService,
  ChangeMails,
  ChangeRepository,
  ConnectionChanges,
  CertificateWarnings,
  MetadataFetcher,
  MetadataInterceptor,
  MetadataRepository,
  MetadataUpdate,
];
const setup = [
  SetupLinkCheck,
  SetupLinkMails,
  SetupLinkPolicy,
  SetupLinkRepository,
  SetupLinkService,
  SetupService,
];
const shared = [
  ConnectionDirectory,
  ConnectionHealth,
  ConnectionTestRepository,
  DomainReview,
  MetadataRefresh,
  SetupLinks,
];

/** Identity providers of organizations, their domains and rules. */
@Module({
  imports: [TypeOrmModule.forFeature(entities), AbilityModule, IamModule],
  controllers: [
    CertificateController,
    ChangeController,
    ConnectionController,
    ConnectionSignInsController,
    DomainController,
    RuleController,
    SetupConnectionController,
    SetupController,
    SetupLinkController,
  ],
  providers: [...shared, ...connections, ...domains, ...setup, ConnectionCleanup, EmergencyNotices],
  exports: shared,
})
export class ConnectionModule {}
