import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../../ability/index.js';
import type { Principal } from '../../../kernel/index.js';
import {
  IfMatch,
  Operation,
  type Page,
  Paged,
  PageOf,
  type Precondition,
  Problems,
  toPage,
  Versioned,
} from '../../../platform/api/index.js';
import { Caller, clientOf } from '../../../platform/web/index.js';
import { Creates } from '../../idempotency/creation.interceptor.js';
import {
  ChangePartnershipDto,
  OfferPartnershipDto,
  PartnershipDetailsResponse,
  PartnershipResponse,
} from './partnership.dto.js';
import { PartnershipService } from './partnership.service.js';
import { PartnersTag } from '../organization.declarations.js';

/** Operations of a host on its partnerships. */
@PartnersTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id/partnerships')
export class PartnershipController {
  constructor(private readonly partnerships: PartnershipService) {}

  @Get()
  @RequireScopes('iam:partnership:read')
  @AbilitySubject('id')
  @Paged(PartnershipResponse)
  @Operation('List partnerships', 'Those that are over are listed for thirty days.')
  async listPartnerships(@Param() { id }: TenantPath, @PageOf() page: Page) {
    return toPage(await this.partnerships.list(id, page), page, PartnershipResponse.from);
  }

  @Post()
  @RequireScopes('iam:partnership:create')
  @AbilitySubject('id')
  @Problems('conflict', 'too-many-requests')
  @Operation(
    'Offer a partnership',
    'Offers another organization access for its people, with some roles, for fourteen days. Mails the address, or the owners of the organization with the slug. Does not tell whether there is one. The caller must hold every permission of the roles.',
  )
  @Creates(PartnershipResponse, '/api/v1/iam/tenants/:id/partnerships/{id}')
  async offerPartnership(
    @Caller() caller: Principal,
    @Param() { id }: TenantPath,
    @Body() body: OfferPartnershipDto,
    @Req() request: Request,
  ) {
    return PartnershipResponse.from(await this.partnerships.offer(id, caller, body, clientOf(request)));
  }

  @Get(':partnershipId')
  @RequireScopes('iam:partnership:read')
  @AbilitySubject('id')
  @Operation('Get a partnership')
  @Versioned(PartnershipDetailsResponse)
  async getPartnership(@Param() { id, partnershipId }: TenantPath<'partnershipId'>) {
    return PartnershipDetailsResponse.of(await this.partnerships.get(id, partnershipId));
  }

  @Patch(':partnershipId')
  @RequireScopes('iam:partnership:update')
  @AbilitySubject('partnershipId')
  @Operation('Change a partnership', 'Changes what is given. Its people have at once what is left of theirs.')
  @Versioned(PartnershipDetailsResponse)
  async changePartnership(
    @Caller() caller: Principal,
    @Param() { id, partnershipId }: TenantPath<'partnershipId'>,
    @Body() body: ChangePartnershipDto,
    @IfMatch() ifMatch: Precondition,
  ) {
    await ifMatch.require(() => this.getPartnership({ id, partnershipId }));
    return PartnershipDetailsResponse.of(await this.partnerships.change(id, caller, partnershipId, body));
  }

  @Delete(':partnershipId')
  @RequireScopes('iam:partnership:end')
  @AbilitySubject('partnershipId')
  @HttpCode(204)
  @Operation(
    'End a partnership',
    'Withdraws an offer, or ends the access of all people of the partner at once.',
  )
  async endPartnership(
    @Caller() caller: Principal,
    @Param() { id, partnershipId }: TenantPath<'partnershipId'>,
  ): Promise<void> {
    await this.partnerships.end(id, caller.userId, partnershipId);
  }
}
