import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AbilityModule } from '../ability/index.js';
import { AuthenticatorModule } from '../authenticator/index.js';
import { ExternalIdentityModule } from '../external-identity/index.js';
import { IamModule } from '../iam/index.js';
import { SessionModule } from '../session/index.js';
import { PlatformAuditController } from './audit/platform-audit.controller.js';
import {
  ImpersonationPolicy,
  ImportPolicy,
  JobPolicy,
  OperatedDecisionPolicy,
  PlatformAuditPolicy,
} from './operator.policy.js';
import { BulkActionEntity } from './bulk/bulk-action.entity.js';
import { BulkActionRepository } from './bulk/bulk-action.repository.js';
import { BulkActionsController } from './bulk/bulk-actions.controller.js';
import { BulkActions } from './bulk/bulk-actions.service.js';
import { BulkStep } from './bulk/bulk-run.service.js';
import { BulkRun } from './bulk/bulk-run.service.js';
import { ImpersonationController } from './impersonations/impersonation.controller.js';
import { ImpersonationStart } from './impersonations/impersonation-start.service.js';
import { ImportRequestEntity } from './imports/import-run.entity.js';
import { ImportRunEntity } from './imports/import-run.entity.js';
import { ImportRunRepository } from './imports/import-run.repository.js';
import { ImportRuns } from './imports/import-runs.service.js';
import { ImportsController } from './imports/imports.controller.js';
import { JobRepository } from './jobs/job.repository.js';
import { JobsController } from './jobs/jobs.controller.js';
import { ErasureRequestEntity } from './people/erasure-request.entity.js';
import { ErasureRequestRepository } from './people/erasure-request.repository.js';
import { PeopleSearch } from './people/people-search.js';
import { PeopleController } from './people/people.controller.js';
import { PersonActions } from './people/person-actions.service.js';
import { PersonErasure } from './people/person-erasure.service.js';
import { PersonLinksController } from './people/person-links.controller.js';
import { PersonLinks } from './people/person-links.service.js';
import { PersonPages, PersonSignIns } from './people/person-page.service.js';
import { PersonTrail } from './people/person-trail.js';
import { PersonPolicy } from './people/person.policy.js';
import { PersonRepository } from './people/person.repository.js';
import { TenantExportRepository } from './tenants/tenant-export.repository.js';
import { OperatedTenantPolicy } from './tenants/tenant.policy.js';
import { OperatedTenantRepository } from './tenants/tenant.repository.js';
import { OperatedTenantController } from './tenants/tenants.controller.js';
import { OperatedTenants } from './tenants/tenants.service.js';
import { EverythingExport } from './leaving/everything-export.js';
import { EverythingRepository } from './leaving/everything.repository.js';
import { ClientModule } from '../client/index.js';

const people = [
  ErasureRequestRepository,
  PeopleSearch,
  PersonActions,
  PersonErasure,
  PersonLinks,
  PersonPages,
  PersonSignIns,
  PersonTrail,
  PersonPolicy,
  PersonRepository,
];
const tenants = [
  OperatedDecisionPolicy,
  OperatedTenantPolicy,
  OperatedTenantRepository,
  OperatedTenants,
  TenantExportRepository,
];
const impersonations = [ImpersonationPolicy, ImpersonationStart];
const leaving = [EverythingExport, EverythingRepository];
const imports = [ImportPolicy, ImportRunRepository, ImportRuns];
const jobs = [JobPolicy, JobRepository];
const bulk = [BulkActionRepository, BulkActions, BulkRun, BulkStep];

/** The console of the platform's operators: people, organizations, audit trail and jobs. */
@Module({
  imports: [
    TypeOrmModule.forFeature([BulkActionEntity, ErasureRequestEntity, ImportRequestEntity, ImportRunEntity]),
    AbilityModule,
    AuthenticatorModule,
    ExternalIdentityModule,
    IamModule,
    ClientModule,
    SessionModule,
  ],
  controllers: [
    PeopleController,
    PersonLinksController,
    ImpersonationController,
    OperatedTenantController,
    PlatformAuditController,
    JobsController,
    ImportsController,
    BulkActionsController,
  ],
  providers: [
    ...people,
    ...impersonations,
    ...tenants,
    ...leaving,
    ...jobs,
    ...imports,
    ...bulk,
    PlatformAuditPolicy,
  ],
})
export class OperatorModule {}
