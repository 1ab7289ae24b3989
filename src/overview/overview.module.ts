import { Module } from '@nestjs/common';
import { AbilityModule } from '../ability/index.js';
import { IamModule } from '../iam/index.js';
import { EventCounts } from './event-counts.js';
import { OverviewPolicy } from './overview.policy.js';
import { OverviewRepository } from './overview.repository.js';
import { OverviewService } from './overview.service.js';
import { PlatformOverviewController } from './platform-overview.controller.js';
import { PlatformOverviewPolicy } from './platform-overview.policy.js';
import { TenantOverviewController } from './tenant-overview.controller.js';

/** What happens in an organization and on the platform, in figures (ADR 78). */
@Module({
  imports: [AbilityModule, IamModule],
  controllers: [TenantOverviewController, PlatformOverviewController],
  providers: [EventCounts, OverviewPolicy, OverviewRepository, OverviewService, PlatformOverviewPolicy],
})
export class OverviewModule {}
