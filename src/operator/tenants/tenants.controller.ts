import { Body, Controller, Get, HttpCode, Param, Post, Put, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AbilitySubject, RequireScopes } from '../../ability/index.js';
import { OperatorsTag, TenantLimitsService, TenantService } from '../../iam/index.js';
import type { Principal, TenantId } from '../../kernel/index.js';
import { Answers, Operation, type Page, Paged, PageOf, QueryOf, toPage } from '../../platform/api/index.js';
import { Caller, callerGone } from '../../platform/web/index.js';
import {
  FoundTenantResponse,
  OperatedTenantResponse,
  TenantExportResponse,
  TenantLimitsDto,
  TenantLimitsResponse,
  TenantsQuery,
} from './tenant.dto.js';
import { OperatedTenants } from './tenants.service.js';

/** What operators see of organizations, and can do with them. */
@OperatorsTag()
@Controller('api/v1/operator/tenants')
export class OperatedTenantController {
  constructor(
    private readonly tenants: OperatedTenants,
    private readonly limits: TenantLimitsService,
    private readonly changes: TenantService,
  ) {}

  @Get()
  @RequireScopes('platform:tenant:read')
  @Paged(FoundTenantResponse)
  @Operation('Find organizations', 'Without a query: all of them, newest first.')
  async searchOrganizations(
    @Caller() { userId }: Principal,
    @PageOf() page: Page,
    @QueryOf(TenantsQuery) { query }: TenantsQuery,
  ) {
    return toPage(await this.tenants.list(userId, query ?? '', page), page, FoundTenantResponse.from);
  }

  @Get(':tenantId')
  @RequireScopes('platform:tenant:read')
  @AbilitySubject('tenantId')
  @Operation('Get an organization, with its owners')
  @Answers(OperatedTenantResponse)
  async getOperatedOrganization(@Caller() { userId }: Principal, @Param('tenantId') tenantId: string) {
    return OperatedTenantResponse.of(await this.tenants.get(userId, tenantId));
  }

  @Get(':tenantId/export')
  @RequireScopes('platform:tenant:export')
  @AbilitySubject('tenantId')
  @Operation(
    'Export what is kept about an organization',
    'For a customer who leaves with their data. Secrets and their hashes are left out.',
  )
  @Answers(TenantExportResponse)
  async exportOrganization(
    @Caller() { userId }: Principal,
    @Param('tenantId') tenantId: string,
    @Res({ passthrough: true }) response: Response,
  ) {
    return TenantExportResponse.of(await this.tenants.export(userId, tenantId, callerGone(response)));
  }

  @Put(':tenantId/limits')
  @RequireScopes('platform:tenant:limit')
  @AbilitySubject('tenantId')
  @Operation(
    'Set limits of an organization',
    'Raises or lowers what this organization may send to people who do not belong to it. Null, or absent: as for every organization.',
  )
  @Answers(TenantLimitsResponse)
  async setLimitsOfOrganization(
    @Caller() { userId }: Principal,
    @Param('tenantId') tenantId: string,
    @Body() { mailsPerDay = null, openInvitations = null }: TenantLimitsDto,
  ) {
    const limits = { mailsPerDay, openInvitations };
    return TenantLimitsResponse.of(await this.limits.set(userId, tenantId as TenantId, limits));
  }

  @Post(':tenantId/archive')
  @RequireScopes('platform:tenant:archive')
  @AbilitySubject('tenantId')
  @HttpCode(204)
  @Operation(
    'Archive an organization',
    'Nothing in it can be changed until it is restored. Its owners can restore it.',
  )
  async archiveOperatedOrganization(
    @Caller() { userId }: Principal,
    @Param('tenantId') tenantId: string,
  ): Promise<void> {
    await this.changes.archive(userId, tenantId as TenantId);
  }

  @Post(':tenantId/restore')
  @RequireScopes('platform:tenant:restore')
  @AbilitySubject('tenantId')
  @HttpCode(204)
  @Operation('Restore an archived organization', 'Ends the schedule of its deletion too.')
  async restoreOperatedOrganization(
    @Caller() { userId }: Principal,
    @Param('tenantId') tenantId: string,
  ): Promise<void> {
    await this.changes.restore(userId, tenantId as TenantId);
  }
}
