import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { AbilityModule } from '../ability/index.js';
import { ConnectionModule } from '../connection/index.js';
import { DirectoryModule } from '../directory/index.js';
import { BodyGuard } from '../platform/web/index.js';
import { QueryGuard } from '../platform/validation/index.js';
import { StrictLimitGuard } from '../platform/rate-limit/index.js';
import { IamModule } from '../iam/index.js';
import { SessionModule } from '../session/index.js';
import { AccessGuard } from './access.guard.js';
import { RequestPipeline } from './request-pipeline.js';
import { RouteManifest } from './route-manifest.js';

@Module({
  imports: [SessionModule, IamModule, AbilityModule, ConnectionModule, DirectoryModule, DiscoveryModule],
  providers: [
    RequestPipeline,
    RouteManifest,
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useExisting: StrictLimitGuard },
    { provide: APP_GUARD, useClass: BodyGuard },
    { provide: APP_GUARD, useClass: QueryGuard },
  ],
})
export class AccessModule {}
