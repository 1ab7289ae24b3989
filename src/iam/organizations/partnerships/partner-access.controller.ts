import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../../ability/index.js';
import type { Principal, UserId } from '../../../kernel/index.js';
import {
  Answers,
  Operation,
  type Page,
  Paged,
  PageOf,
  Problems,
  toPage,
} from '../../../platform/api/index.js';
import { Caller } from '../../../platform/web/index.js';
import { PartnerAccessService } from './partner-access.service.js';
import {
  PartnerAccessDetailsResponse,
  PartnerAccessResponse,
  PartnerPersonResponse,
  PutPartnerPersonDto,
} from './partnership.dto.js';
import { PartnersTag } from '../organization.declarations.js';

/** Operations of a partner on what other organizations offer it. */
@PartnersTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id/partner-access')
export class PartnerAccessController {
  constructor(private readonly access: PartnerAccessService) {}

  @Get()
  @RequireScopes('iam:partner-access:read')
  @AbilitySubject('id')
  @Paged(PartnerAccessResponse)
  @Operation(
    'List access to other organizations',
    'Lists active partnerships, and offers to the organization or to the address of the caller. An offer that its maker could not make now is `expired`.',
  )
  async listPartnerAccess(@Caller() caller: Principal, @Param() { id }: TenantPath, @PageOf() page: Page) {
    return toPage(await this.access.list(id, caller, page), page, PartnerAccessResponse.from);
  }

  @Get(':partnershipId')
  @RequireScopes('iam:partner-access:read')
  @AbilitySubject('id')
  @Operation('Get access to another organization')
  @Answers(PartnerAccessDetailsResponse)
  async getPartnerAccess(
    @Caller() caller: Principal,
    @Param() { id, partnershipId }: TenantPath<'partnershipId'>,
  ) {
    return PartnerAccessDetailsResponse.of(await this.access.get(id, caller, partnershipId));
  }

  @Post(':partnershipId/accept')
  @RequireScopes('iam:partner-access:accept')
  @AbilitySubject('partnershipId')
  @Problems('conflict')
  @Operation('Accept a partnership', 'An organization can have one active partnership with the same host.')
  @Answers(PartnerAccessDetailsResponse)
  async acceptPartnership(
    @Caller() caller: Principal,
    @Param() { id, partnershipId }: TenantPath<'partnershipId'>,
  ) {
    return PartnerAccessDetailsResponse.of(await this.access.accept(id, caller, partnershipId));
  }

  @Post(':partnershipId/decline')
  @RequireScopes('iam:partner-access:accept')
  @AbilitySubject('partnershipId')
  @Operation('Decline a partnership')
  @Answers(PartnerAccessDetailsResponse)
  async declinePartnership(
    @Caller() caller: Principal,
    @Param() { id, partnershipId }: TenantPath<'partnershipId'>,
  ) {
    return PartnerAccessDetailsResponse.of(await this.access.end(id, caller, partnershipId, 'declined'));
  }

  @Post(':partnershipId/leave')
  @RequireScopes('iam:partner-access:leave')
  @AbilitySubject('partnershipId')
  @Operation('Leave a partnership', 'All people on it lose the access to the host at once.')
  @Answers(PartnerAccessDetailsResponse)
  async leavePartnership(
    @Caller() caller: Principal,
    @Param() { id, partnershipId }: TenantPath<'partnershipId'>,
  ) {
    return PartnerAccessDetailsResponse.of(await this.access.end(id, caller, partnershipId, 'ended'));
  }

  @Put(':partnershipId/people/:userId')
  @RequireScopes('iam:partner-access:assign')
  @AbilitySubject('partnershipId')
  @Problems('conflict')
  @Operation(
    'Put a member on a partnership',
    'The member selects the host as they select their own organizations. They have the roles while they are a member of this organization.',
  )
  @Answers(PartnerPersonResponse)
  async putPartnerPerson(
    @Caller() caller: Principal,
    @Param() { id, partnershipId, userId }: TenantPath<'partnershipId' | 'userId'>,
    @Body() body: PutPartnerPersonDto,
  ) {
    return PartnerPersonResponse.from(
      await this.access.putPerson(id, caller, partnershipId, userId as UserId, body),
    );
  }

  @Delete(':partnershipId/people/:userId')
  @RequireScopes('iam:partner-access:assign')
  @AbilitySubject('partnershipId')
  @HttpCode(204)
  @Operation('Take a member off a partnership')
  async removePartnerPerson(
    @Caller() caller: Principal,
    @Param() { id, partnershipId, userId }: TenantPath<'partnershipId' | 'userId'>,
  ): Promise<void> {
    await this.access.removePerson(id, caller, partnershipId, userId as UserId);
  }
}
