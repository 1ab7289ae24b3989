import { Controller, Get, Param } from '@nestjs/common';
import { AbilitySubject, RequireScopes, type TenantPath } from '../ability/index.js';
import { OrganizationsTag } from '../iam/index.js';
import { Answers, Operation } from '../platform/api/index.js';
import { TenantOverviewResponse } from './overview.dto.js';
import { OverviewService } from './overview.service.js';

/** Figures of an organization. */
@OrganizationsTag()
@Controller('api/v1/iam/tenants/:id/overview')
export class TenantOverviewController {
  constructor(private readonly overviews: OverviewService) {}

  @Get()
  @RequireScopes('iam:overview:read')
  @AbilitySubject('id')
  @Operation(
    'Get the overview of an organization',
    'Figures of the present, and counts of the last 24 hours and 30 days, which are some seconds old. A sign-in counts in each organization of the person; one by a connection in its organization only. Series without a count are left out.',
  )
  @Answers(TenantOverviewResponse)
  async getOrganizationOverview(@Param() { id }: TenantPath): Promise<TenantOverviewResponse> {
    return this.overviews.ofTenant(id);
  }
}
