import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes, type TenantPath } from '../../../ability/index.js';
import type { Locked, PersonPrincipal, TenantId } from '../../../kernel/index.js';
import { Answers, Operation } from '../../../platform/api/index.js';
import { Caller } from '../../../platform/web/index.js';
import { LockedTenant } from '../tenants/locked-tenant.decorator.js';
import { OrganizationsTag } from '../organization.declarations.js';
import { GrantSupportAccessDto, SupportAccessResponse } from './support-access.dto.js';
import { SupportAccessService } from './support-access.service.js';

/** Whether support may act as members of an organization now. */
@OrganizationsTag()
@AbilitySubject('id')
@Controller('api/v1/iam/tenants/:id/support-access')
export class SupportAccessController {
  constructor(private readonly access: SupportAccessService) {}

  @Get()
  @RequireScopes('iam:support-access:read')
  @Operation('Get whether support may enter')
  @Answers(SupportAccessResponse)
  async getSupportAccess(@Param() { id }: TenantPath) {
    return SupportAccessResponse.from(await this.access.get(id));
  }

  @Post()
  @RequireScopes('iam:support-access:grant')
  @Operation(
    'Let support in for some hours',
    'With `supportAccess: on_request` of the sign-in policy. An operator may then act as a member, at most 30 minutes at a time. Replaces an earlier grant. All owners are mailed.',
  )
  @Answers(SupportAccessResponse)
  async grantSupportAccess(
    @Caller() { userId }: PersonPrincipal,
    @LockedTenant() tenantId: Locked<TenantId>,
    @Body() { hours }: GrantSupportAccessDto,
  ) {
    return SupportAccessResponse.from(await this.access.grant(userId, tenantId, hours));
  }

  @Delete()
  @RequireScopes('iam:support-access:end')
  @HttpCode(204)
  @Operation(
    'End the access of support',
    'Ends the sessions in which support acts as a member too, within a second.',
  )
  async endSupportAccess(
    @Caller() { userId }: PersonPrincipal,
    @LockedTenant() tenantId: Locked<TenantId>,
  ): Promise<void> {
    await this.access.end(userId, tenantId);
  }
}
