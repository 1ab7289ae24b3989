import { Controller, Get } from '@nestjs/common';
import { RequireScopes } from '../ability/index.js';
import { OperatorsTag } from '../iam/index.js';
import { Answers, Operation } from '../platform/api/index.js';
import { PlatformOverviewResponse } from './overview.dto.js';
import { OverviewService } from './overview.service.js';

/** Figures of the platform. */
@OperatorsTag()
@Controller('api/v1/operator/overview')
export class PlatformOverviewController {
  constructor(private readonly overviews: OverviewService) {}

  @Get()
  @RequireScopes('platform:overview:read')
  @Operation(
    'Get the overview of the platform',
    'Figures of the present, and counts of the last 24 hours and 30 days, which are some seconds old. Series without a count are left out.',
  )
  @Answers(PlatformOverviewResponse)
  async getPlatformOverview(): Promise<PlatformOverviewResponse> {
    return this.overviews.ofPlatform();
  }
}
