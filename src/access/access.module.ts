import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { AbilityModule, CommandRunner } from '../ability/index.js';
import { ConnectionModule } from '../connection/index.js';
import { DirectoryModule } from '../directory/index.js';
import { BodyGuard } from '../platform/web/index.js';
import { QueryGuard } from '../platform/validation/index.js';
import { StrictLimitGuard } from '../platform/rate-limit/index.js';
import { SessionModule } from '../session/index.js';
import { AccessGuard } from './access.guard.js';
import { CommandTransaction } from './command-transaction.js';
import { RequestPipeline } from './request-pipeline.js';
import { RouteManifest } from './route-manifest.js';
import { RouteQuestions } from './route-questions.js';

@Module({
  imports: [SessionModule, AbilityModule, ConnectionModule, DirectoryModule, DiscoveryModule],
  providers: [
    RequestPipeline,
    RouteManifest,
    RouteQuestions,
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useExisting: StrictLimitGuard },
    { provide: APP_GUARD, useClass: BodyGuard },
    { provide: APP_GUARD, useClass: QueryGuard },
    { provide: CommandRunner, useClass: CommandTransaction },
  ],
})
export class AccessModule {}
