import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AbilitySubject, RequireScopes, TenantParam } from '../../../ability/index.js';
import {
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  Bearer,
  type ItemPage,
  type Page,
  Paged,
  PageOf,
  Problems,
  toPage,
} from '../../../platform/api/index.js';
import { Creates } from '../../idempotency/creates.decorator.js';
import { Caller, clientOf } from '../../../platform/web/index.js';
import type { Principal, TenantId } from '../../../kernel/index.js';
import { MembersTag } from '../members/members-tag.js';
import { InvitationAcceptance } from './invitation-acceptance.service.js';
import { AcceptInvitationDto, InviteDto } from './dto/invitation.dto.js';
import { AcceptedInvitationResponse, InvitationResponse } from './invitation.response.js';
import { InvitationService } from './invitation.service.js';

/** Invitations to an organization. */
@MembersTag()
@TenantParam('id')
@Controller('api/v1/iam')
export class InvitationController {
  constructor(
    private readonly invitations: InvitationService,
    private readonly acceptance: InvitationAcceptance,
  ) {}

  @Get('tenants/:id/invitations')
  @RequireScopes('iam:invitation:read')
  @AbilitySubject('id')
  @Paged(InvitationResponse)
  @ApiOperation({ operationId: 'listInvitations', summary: 'List invitations' })
  async list(@Param('id') id: string, @PageOf() page: Page): Promise<ItemPage<InvitationResponse>> {
    return toPage(
      await this.invitations.list(id as TenantId, page),
      page,
      (invitation) => invitation.id,
      (invitation) => InvitationResponse.from(invitation),
    );
  }

  @Post('tenants/:id/invitations')
  @RequireScopes('iam:invitation:create')
  @AbilitySubject('id')
  @Problems('conflict')
  @ApiOperation({
    operationId: 'createInvitation',
    summary: 'Invite a person',
    description: 'Mails a link that is valid for seven days. The address need not have an account.',
  })
  @Creates(InvitationResponse, '/api/v1/iam/tenants/:id/invitations/{id}')
  async create(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Body() { email, roles }: InviteDto,
    @Req() request: Request,
  ): Promise<InvitationResponse> {
    const invitation = { email, roles: [...new Set(roles)], locale: clientOf(request).locale };
    return InvitationResponse.from(await this.invitations.create(id as TenantId, caller, invitation));
  }

  @Delete('tenants/:id/invitations/:invitationId')
  @RequireScopes('iam:invitation:revoke')
  @AbilitySubject('invitationId')
  @HttpCode(204)
  @ApiOperation({ operationId: 'revokeInvitation', summary: 'Revoke an invitation' })
  @ApiNoContentResponse()
  async revoke(
    @Caller() caller: Principal,
    @Param('id') id: string,
    @Param('invitationId') invitationId: string,
  ): Promise<void> {
    await this.invitations.revoke(id as TenantId, caller.userId, invitationId);
  }

  @Post('auth/accept-invitation')
  @Bearer('app')
  @Problems('forbidden', 'conflict')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation',
    description:
      'Makes the caller a member. Requires the account of the invited address. A person can be a member of 1,000 organizations at most.',
  })
  @ApiOkResponse({ type: AcceptedInvitationResponse })
  async accept(
    @Caller() caller: Principal,
    @Body() { token }: AcceptInvitationDto,
  ): Promise<AcceptedInvitationResponse> {
    return { tenantId: await this.acceptance.accept(caller.userId, token) };
  }
}
