import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AbilityModule, ClientScopes } from '../ability/index.js';
import { IamModule } from '../iam/index.js';
import { ClientRegistry, SessionModule } from '../session/index.js';
import { CodeController } from './codes/code.controller.js';
import { CodeService } from './codes/code.service.js';
import { ClientLogoController } from './logos/client-logo.controller.js';
import { ClientLogoRepository } from './logos/client-logo.repository.js';
import { ClientLogos } from './logos/client-logos.js';
import { SatelliteController } from './registry/satellite.controller.js';
import { LiveClients } from './registry/live-clients.js';
import { SatellitePolicy } from './registry/satellite.policy.js';
import { SatelliteScopes } from './registry/satellite-scopes.js';
import { SatelliteRepository } from './registry/satellite.repository.js';
import { SatelliteService } from './registry/satellite.service.js';
import { SatelliteEntity } from './registry/satellite.entity.js';
import { TenantClientCleanup } from './tenant-clients/tenant-client-cleanup.js';
import { TenantClientController } from './tenant-clients/tenant-client.controller.js';
import { TenantClientPolicy } from './tenant-clients/tenant-client.policy.js';
import { TenantClientRepository } from './tenant-clients/tenant-client.repository.js';
import { TenantClientService } from './tenant-clients/tenant-client.service.js';
import './satellite.events.js';

/** Satellites: third-party clients that take part in sessions of this service. */
@Module({
  imports: [TypeOrmModule.forFeature([SatelliteEntity]), AbilityModule, IamModule, SessionModule],
  controllers: [SatelliteController, TenantClientController, CodeController, ClientLogoController],
  providers: [
    ClientLogoRepository,
    ClientLogos,
    CodeService,
    LiveClients,
    SatellitePolicy,
    SatelliteRepository,
    SatelliteScopes,
    SatelliteService,
    TenantClientCleanup,
    TenantClientPolicy,
    TenantClientRepository,
    TenantClientService,
    { provide: ClientRegistry, useExisting: SatelliteService },
    { provide: ClientScopes, useExisting: SatelliteScopes },
  ],
  exports: [SatelliteService],
})
export class SatelliteModule {}
