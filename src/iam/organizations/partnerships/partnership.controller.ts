import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AbilitySubject, RequireScopes, TenantParam } from '../../../ability/index.js';
import type { Principal, TenantId } from '../../../kernel/index.js';
import {
  ApiOperation,
  IfMatch,
  type ItemPage,
  type Page,
  Paged,
  PageOf,
  type Precondition,
  Problems,
  toPage,
  Versioned,
} from '../../../platform/api/index.js';
import { Caller, clientOf } from '../../../platform/web/index.js';
import { Creates } from '../../idempotency/creates.decorator.js';
import {
  ChangePartnershipDto,
  OfferPartnershipDto,
  PartnershipDetailsResponse,
  PartnershipResponse,
} from './partnership.dto.js';
import { PartnershipService } from './partnership.service.js';
import { PartnersTag } from '../organization-tags.js';

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
  @ApiOperation({
    operationId: 'listPartnerships',
    summary: 'List partnerships',
    description: 'Those that are over are listed for thirty days.',
  })
  async list(@Param('id') id: string, @PageOf() page: Page): Promise<ItemPage<PartnershipResponse>> {
    return toPage(await this.partnerships.list(id as TenantId, page), page, PartnershipResponse.from);
  }

  @Post()
  @RequireScopes('iam:partnership:create')
  @AbilitySubject('id')
  @Problems('conflict', 'too-many-requests')
  @ApiOperation({
    operationId: 'offerPartnership',
    summary: 'Offer a partnership',
    description:
      'Offers another organization access for its people, with some roles, for fourteen days. Mails the address, or the owners of the organization with the slug. Does not tell whether there is one. The caller must hold every permission of the roles.',
  })
  @Creates(PartnershipResponse, '/api/v1/iam/tenants/:id/partnerships/{id}')
  async offer(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() body: OfferPartnershipDto,
    @Req() request: Request,
  ): Promise<PartnershipResponse> {
    return PartnershipResponse.from(
      await this.partnerships.offer(id as TenantId, caller, body, clientOf(request)),
    );
  }

  @Get(':partnershipId')
  @RequireScopes('iam:partnership:read')
  @AbilitySubject('id')
  @ApiOperation({ operationId: 'getPartnership', summary: 'Read a partnership' })
  @Versioned(PartnershipDetailsResponse)
  async read(
    @Param('id') id: string,
    @Param('partnershipId') partnershipId: string,
  ): Promise<PartnershipDetailsResponse> {
    const { partnership, people } = await this.partnerships.get(id as TenantId, partnershipId);
    return PartnershipDetailsResponse.of(partnership, people);
  }

  @Patch(':partnershipId')
  @RequireScopes('iam:partnership:update')
  @AbilitySubject('partnershipId')
  @ApiOperation({
    operationId: 'changePartnership',
    summary: 'Change a partnership',
    description: 'Changes what is given. Its people have at once what is left of theirs.',
  })
  @Versioned(PartnershipDetailsResponse)
  async change(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Param('partnershipId') partnershipId: string,
    @Body() body: ChangePartnershipDto,
    @IfMatch() ifMatch: Precondition,
  ): Promise<PartnershipDetailsResponse> {
    await ifMatch.require(() => this.read(id, partnershipId));
    const { partnership, people } = await this.partnerships.change(
      id as TenantId,
      caller,
      partnershipId,
      body,
    );
    return PartnershipDetailsResponse.of(partnership, people);
  }

  @Delete(':partnershipId')
  @RequireScopes('iam:partnership:end')
  @AbilitySubject('partnershipId')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'endPartnership',
    summary: 'End a partnership',
    description: 'Withdraws an offer, or ends the access of all people of the partner at once.',
  })
  async end(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Param('partnershipId') partnershipId: string,
  ): Promise<void> {
    await this.partnerships.end(id as TenantId, caller.userId, partnershipId);
  }
}
