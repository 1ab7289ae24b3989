import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AbilityModule } from '../ability/index.js';
import { IamModule } from '../iam/index.js';
import { MachineModule } from '../machine/index.js';
import { AgentPolicies } from './agents/agent-policies.js';
import { AgentPolicyEntity } from './agents/agent-policy.entity.js';
import { AgentPolicyRepository } from './agents/agent-policy.repository.js';
import { ApiClientEntity, ApiEntity } from './apis/api.entity.js';
import { ApiController, TenantApiController } from './apis/api.controller.js';
import { ClientReachController, TenantClientReachController } from './apis/api-reach.controller.js';
import { ApiPolicy } from './apis/api.policy.js';
import { ApiRepository } from './apis/api.repository.js';
import { ApiService } from './apis/api.service.js';
import { LiveApis } from './apis/live-apis.js';
import { ClientDocumentRepository } from './documents/client-document.repository.js';
import { ClientDocuments } from './documents/client-documents.js';
import { DocumentFetcher } from './documents/document-fetcher.js';
import { ClientLogoController } from './logos/client-logo.controller.js';
import { ClientLogoRepository } from './logos/client-logo.repository.js';
import { ClientLogos } from './logos/client-logos.js';
import { ClientController, TenantClientController } from './registry/client.controller.js';
import { ClientEntity, DisabledClientEntity } from './registry/client.entity.js';
import { ClientPolicy } from './registry/client.policy.js';
import { ClientRepository } from './registry/client.repository.js';
import { ClientService } from './registry/client.service.js';
import { LiveClients } from './registry/live-clients.js';
import { ClientChanges } from './registry/client-changes.js';
import { ClientCheck } from './registry/client-check.js';
import { RegisteredScopes } from './registry/client-scopes.js';
import { ClientStatus } from './status/client-status.js';
import { DisabledClientRepository } from './status/disabled-client.repository.js';
import { TenantClientCleanup } from './tenant-clients/tenant-client-cleanup.js';
import { TenantClientPolicy } from './tenant-clients/tenant-client.policy.js';
import { TenantClientRepository } from './tenant-clients/tenant-client.repository.js';
import { TenantClientService } from './tenant-clients/tenant-client.service.js';
import './client.events.js';

/** Registry of every client: satellites, clients of OpenID Connect, clients of organizations. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      AgentPolicyEntity,
      ApiClientEntity,
      ApiEntity,
      ClientEntity,
      DisabledClientEntity,
    ]),
    AbilityModule,
    IamModule,
    MachineModule,
  ],
  controllers: [
    ApiController,
    ClientController,
    ClientLogoController,
    ClientReachController,
    TenantApiController,
    TenantClientController,
    TenantClientReachController,
  ],
  providers: [
    AgentPolicies,
    AgentPolicyRepository,
    ApiPolicy,
    ApiRepository,
    ApiService,
    ClientChanges,
    ClientCheck,
    ClientDocumentRepository,
    ClientDocuments,
    ClientLogoRepository,
    ClientLogos,
    ClientPolicy,
    ClientRepository,
    ClientService,
    ClientStatus,
    DisabledClientRepository,
    DocumentFetcher,
    LiveApis,
    LiveClients,
    RegisteredScopes,
    TenantClientCleanup,
    TenantClientPolicy,
    TenantClientRepository,
    TenantClientService,
  ],
  exports: [
    AgentPolicies,
    ApiService,
    ClientDocuments,
    ClientService,
    ClientStatus,
    LiveApis,
    LiveClients,
    RegisteredScopes,
    TenantClientService,
  ],
})
export class ClientModule {}
