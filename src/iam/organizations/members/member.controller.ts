import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../../ability/index.js';
import { Caller } from '../../../platform/web/index.js';
import {
  Answers,
  IfMatch,
  Operation,
  type Precondition,
  Problems,
  QueryOf,
  SortedList,
  SortedPageOf,
  toSortedPage,
  Versioned,
} from '../../../platform/api/index.js';
import type { Locked, Principal, TenantId, UserId } from '../../../kernel/index.js';
import { LockedTenant } from '../tenants/locked-tenant.decorator.js';
import { ChangeMemberDto, MemberResponse, MembershipResponse, MembersQuery } from './member.dto.js';
import { MEMBER_ORDERS, type MemberPage } from './member-list.js';
import { MemberRoleService } from './member-role.service.js';
import { MemberListingService } from './member-listing.service.js';
import { MemberService } from './member.service.js';
import { PartnerSight } from '../partnerships/partner-sight.js';
import { MembersTag } from '../organization.declarations.js';

/** Operations on the members of an organization. */
@MembersTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id/members')
export class MemberController {
  constructor(
    private readonly members: MemberService,
    private readonly listing: MemberListingService,
    private readonly memberRoles: MemberRoleService,
    private readonly sight: PartnerSight,
  ) {}

  @Get()
  @RequireScopes('iam:member:read')
  @AbilitySubject('id')
  @SortedList(MemberResponse, MEMBER_ORDERS)
  @Operation('List members', 'People of a partner see the members with whom they share a thing.')
  async listMembers(
    @Caller() caller: Principal,
    @Param() { id }: TenantPath,
    @SortedPageOf(MEMBER_ORDERS) page: MemberPage,
    @QueryOf(MembersQuery) query: MembersQuery,
  ) {
    const { members, total } = await this.listing.list(
      id,
      page,
      query,
      await this.sight.findThings(caller, id),
    );
    return toSortedPage(
      members,
      page,
      ({ sortKey, userId }) => ({ key: sortKey, id: userId }),
      (member) => MemberResponse.from(member),
      total,
    );
  }

  @Get(':userId')
  @RequireScopes('iam:member:read')
  @AbilitySubject('id')
  @Operation('Get a member')
  @Versioned(MembershipResponse)
  async getMember(@Caller() caller: Principal, @Param() { id, userId }: TenantPath<'userId'>) {
    return MembershipResponse.from(await this.sight.getMember(caller, id, userId as UserId));
  }

  @Patch(':userId')
  @RequireScopes('iam:member:update')
  @AbilitySubject('userId')
  @Operation(
    "Change a member's roles, or when the access ends",
    'Changes what is given. The caller must hold every permission of the new roles, and every permission that the member holds. To make an owner takes a recent sign-in. One owner always has access without an end.',
  )
  @Problems('insufficient-user-authentication')
  @Versioned(MembershipResponse)
  async changeMemberRoles(
    @Caller() caller: Principal,
    @Param() { id, userId }: TenantPath<'userId'>,
    @Body() body: ChangeMemberDto,
    @IfMatch() ifMatch: Precondition,
  ) {
    await ifMatch.require(() => this.getMember(caller, { id, userId }));
    return MembershipResponse.from(await this.memberRoles.change(id, caller, userId as UserId, body));
  }

  @Post(':userId/suspend')
  @RequireScopes('iam:member:suspend')
  @AbilitySubject('userId')
  @Operation(
    'Suspend a member',
    "Ends the person's tokens for this organization, until the membership is restored. It stays with its roles.",
  )
  @Answers(MembershipResponse)
  async suspendMember(
    @Caller() caller: Principal,
    @LockedTenant() tenantId: Locked<TenantId>,
    @Param('userId') userId: string,
  ) {
    return MembershipResponse.from(await this.members.suspend(tenantId, caller.userId, userId as UserId));
  }

  @Post(':userId/restore')
  @RequireScopes('iam:member:restore')
  @AbilitySubject('userId')
  @Operation('Restore a suspended member')
  @Answers(MembershipResponse)
  async restoreMember(@Caller() caller: Principal, @Param() { id, userId }: TenantPath<'userId'>) {
    return MembershipResponse.from(await this.members.restore(id, caller.userId, userId as UserId));
  }

  @Delete(':userId')
  @RequireScopes('iam:member:remove')
  @AbilitySubject('userId')
  @HttpCode(204)
  @Operation(
    'Remove a member',
    "Ends the person's tokens for this organization. Other organizations are not affected. The account of a worker without an address is erased with the last membership.",
  )
  async removeMember(
    @Caller() caller: Principal,
    @LockedTenant() tenantId: Locked<TenantId>,
    @Param('userId') userId: string,
    @IfMatch() ifMatch: Precondition,
  ): Promise<void> {
    await ifMatch.require(() => this.getMember(caller, { id: tenantId, userId }));
    await this.members.remove(tenantId, caller.userId, userId as UserId);
  }
}
