import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../../ability/index.js';
import {
  Accepts,
  Answers,
  Bearer,
  Operation,
  Problems,
  Public,
  QueryOf,
  SortedList,
  SortedPageOf,
  toSortedPage,
} from '../../../platform/api/index.js';
import { Creates } from '../../idempotency/creation.interceptor.js';
import { Caller, clientOf } from '../../../platform/web/index.js';
import type { PersonPrincipal, Principal } from '../../../kernel/index.js';
import { StrictLimit } from '../../../platform/rate-limit/index.js';
import { MembersTag, PREVIEW_LIMIT } from '../organization.declarations.js';
import { InvitationAcceptance } from './invitation-acceptance.service.js';
import {
  AcceptedInvitationResponse,
  AcceptInvitationDto,
  InvitationPreviewResponse,
  InvitationResponse,
  InvitationsQuery,
  InviteDto,
  PreviewInvitationDto,
} from './invitation.dto.js';
import { InvitationPreviews } from './invitation-preview.service.js';
import { INVITATION_ORDERS, type InvitationPage } from './invitation.repository.js';
import { InvitationService } from './invitation.service.js';

/** Invitations to an organization. */
@MembersTag()
@TenantParam('id')
@Controller('api/v1/iam')
export class InvitationController {
  constructor(
    private readonly invitations: InvitationService,
    private readonly previews: InvitationPreviews,
    private readonly acceptance: InvitationAcceptance,
  ) {}

  @Get('tenants/:id/invitations')
  @RequireScopes('iam:invitation:read')
  @AbilitySubject('id')
  @SortedList(InvitationResponse, INVITATION_ORDERS)
  @Operation('List invitations')
  async listInvitations(
    @Param() { id }: TenantPath,
    @SortedPageOf(INVITATION_ORDERS) page: InvitationPage,
    @QueryOf(InvitationsQuery) query: InvitationsQuery,
  ) {
    const { invitations, total } = await this.invitations.list(id, page, query);
    return toSortedPage(
      invitations,
      page,
      (invitation) => ({ key: invitation.sortKey, id: invitation.id }),
      (invitation) => InvitationResponse.from(invitation),
      total,
    );
  }

  @Post('tenants/:id/invitations')
  @RequireScopes('iam:invitation:create')
  @AbilitySubject('id')
  @Problems('conflict', 'insufficient-user-authentication')
  @Operation(
    'Invite a person',
    'Mails a link that is valid for seven days. The address need not have an account. To invite an owner takes a recent sign-in.',
  )
  @Creates(InvitationResponse, '/api/v1/iam/tenants/:id/invitations/{id}')
  async createInvitation(
    @Caller() caller: Principal,
    @Param() { id }: TenantPath,
    @Body() { email, roles }: InviteDto,
    @Req() request: Request,
  ) {
    const { locale, ipAddress } = clientOf(request);
    const invitation = { email, roles: [...new Set(roles)], locale, ipAddress };
    return InvitationResponse.from(await this.invitations.create(id, caller, invitation));
  }

  @Get('tenants/:id/invitations/:invitationId')
  @RequireScopes('iam:invitation:read')
  @AbilitySubject('id')
  @Operation('Get an invitation')
  @Answers(InvitationResponse)
  async getInvitation(@Param() { id, invitationId }: TenantPath<'invitationId'>) {
    return InvitationResponse.from(await this.invitations.get(id, invitationId));
  }

  @Post('tenants/:id/invitations/:invitationId/resend')
  @RequireScopes('iam:invitation:resend')
  @AbilitySubject('invitationId')
  @Problems('conflict', 'too-many-requests')
  @Operation(
    'Send an invitation again',
    'Mails a new link, valid for seven days; the old one stops working. The caller becomes the member who sent it, and must hold every permission of its roles.',
  )
  @Accepts(InvitationResponse)
  async resendInvitation(
    @Caller() caller: Principal,
    @Param() { id, invitationId }: TenantPath<'invitationId'>,
    @Req() request: Request,
  ) {
    return InvitationResponse.from(
      await this.invitations.resend(id, caller, invitationId, clientOf(request)),
    );
  }

  @Delete('tenants/:id/invitations/:invitationId')
  @RequireScopes('iam:invitation:revoke')
  @AbilitySubject('invitationId')
  @HttpCode(204)
  @Operation('Revoke an invitation')
  async revokeInvitation(
    @Caller() caller: Principal,
    @Param() { id, invitationId }: TenantPath<'invitationId'>,
  ): Promise<void> {
    await this.invitations.revoke(id, caller.userId, invitationId);
  }

  @Post('auth/invitation-preview')
  @Public('the mailed token is the proof')
  @StrictLimit(PREVIEW_LIMIT)
  @Problems('forbidden')
  @Operation(
    'Show an invitation',
    'Shows its receiver who invites to what, before a sign-in. Does not tell whether the address has an account.',
  )
  @Answers(InvitationPreviewResponse)
  async previewInvitation(@Body() { token }: PreviewInvitationDto) {
    return InvitationPreviewResponse.from(await this.previews.show(token));
  }

  @Post('auth/accept-invitation')
  @Bearer('app', { ownProof: 'by-handler' })
  @Problems('forbidden', 'conflict', 'insufficient-user-authentication')
  @Operation(
    'Accept an invitation',
    'Makes the caller a member. Requires the account of the invited address. A person can be a member of 1,000 organizations at most.',
  )
  @Answers(AcceptedInvitationResponse)
  async acceptInvitation(@Caller() caller: PersonPrincipal, @Body() { token }: AcceptInvitationDto) {
    return { tenantId: await this.acceptance.accept(caller, token) };
  }
}
