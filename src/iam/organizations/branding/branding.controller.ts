import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { AbilitySubject, RequireScopes, type TenantPath } from '../../../ability/index.js';
import type { Locked, Principal, TenantId } from '../../../kernel/index.js';
import { IfMatch, LargeBody, Operation, type Precondition, Versioned } from '../../../platform/api/index.js';
import { Caller } from '../../../platform/web/index.js';
import { LockedTenant } from '../tenants/locked-tenant.decorator.js';
import { OrganizationsTag } from '../organization.declarations.js';
import { BrandingDto, BrandingResponse, MAX_BRANDING_BYTES } from './branding.dto.js';
import { BrandingService } from './branding.service.js';

/** How an organization looks on pages and in mails. */
@OrganizationsTag()
@AbilitySubject('id')
@Controller('api/v1/iam/tenants/:id/branding')
export class BrandingController {
  constructor(private readonly brandings: BrandingService) {}

  @Get()
  @RequireScopes('iam:branding:read')
  @Operation('Get the look of an organization')
  @Versioned(BrandingResponse)
  async getBranding(@Param() { id }: TenantPath) {
    return BrandingResponse.from(id, await this.brandings.get(id));
  }

  @Put()
  @RequireScopes('iam:branding:update')
  @LargeBody(MAX_BRANDING_BYTES)
  @Operation(
    'Set the look of an organization',
    'Shown where people sign in to the organization, on its invitations, and in its mails. Fields that are left out stay as they are; null removes one.',
  )
  @Versioned(BrandingResponse)
  async setBranding(
    @Caller() { userId }: Principal,
    @LockedTenant() tenantId: Locked<TenantId>,
    @Body() body: BrandingDto,
    @IfMatch() ifMatch: Precondition,
  ) {
    await ifMatch.require(() => this.getBranding({ id: tenantId }));
    return BrandingResponse.from(tenantId, await this.brandings.set(userId, tenantId, { ...body }));
  }
}
