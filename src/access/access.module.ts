import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { StrictLimitGuard } from '../platform/rate-limit/index.js';
import { SessionModule } from '../session/index.js';
import { AccessGuard } from './access.guard.js';
import { FrontDoor } from './front-door.js';
import { RouteManifest } from './route-manifest.js';

@Module({
  imports: [SessionModule, DiscoveryModule],
  providers: [
    FrontDoor,
    RouteManifest,
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useExisting: StrictLimitGuard },
  ],
})
export class AccessModule {}
