import { Body, Controller, Get, Param, Post, Put } from '@nestjs/common';
import { AbilitySubject, RequireScopes, type TenantPath } from '../ability/index.js';
import { LockedTenant, OrganizationsTag, SignInPolicies } from '../iam/index.js';
import type { Locked, PersonPrincipal, Principal, TenantId } from '../kernel/index.js';
import {
  Answers,
  CountsAsRead,
  IfMatch,
  Operation,
  type Precondition,
  Problems,
  QueryOf,
  Versioned,
} from '../platform/api/index.js';
import { Caller } from '../platform/web/index.js';
import {
  ImpactQuery,
  PolicyImpactResponse,
  SecondFactorsDto,
  SecondFactorsResponse,
  SignInPolicyDto,
  SignInPolicyResponse,
} from './sign-in-policy.dto.js';
import { SignInPolicyService } from './sign-in-policy.service.js';

/** What an organization asks of the sign-ins of its members. */
@OrganizationsTag()
@AbilitySubject('id')
@Controller('api/v1/iam/tenants/:id/sign-in-policy')
export class SignInPolicyController {
  constructor(
    private readonly policies: SignInPolicies,
    private readonly changes: SignInPolicyService,
  ) {}

  @Get()
  @RequireScopes('iam:sign-in-policy:read')
  @Operation('Get the sign-in policy')
  @Versioned(SignInPolicyResponse)
  async getSignInPolicy(@Param() { id }: TenantPath) {
    return SignInPolicyResponse.from(await this.policies.get(id));
  }

  @Put()
  @RequireScopes('iam:sign-in-policy:update')
  @Problems('conflict')
  @Operation(
    'Set the sign-in policy',
    'What members have to prove before they enter the organization. Acts on every token within a second: a sign-in that falls short gets 401 `insufficient-user-authentication`. Fields that are left out stay as they are. Refused with 409 if the own sign-in of the caller does not satisfy the policy.',
  )
  @Versioned(SignInPolicyResponse)
  async setSignInPolicy(
    @Caller() caller: PersonPrincipal,
    @LockedTenant() tenantId: Locked<TenantId>,
    @Body() body: SignInPolicyDto,
    @IfMatch() ifMatch: Precondition,
  ) {
    await ifMatch.require(() => this.getSignInPolicy({ id: tenantId }));
    return SignInPolicyResponse.from(await this.changes.set(caller, tenantId, body));
  }

  @Get('impact')
  @RequireScopes('iam:sign-in-policy:read')
  @Operation('Count who could not enter', 'With the policy in force, or with another second factor.')
  @Answers(PolicyImpactResponse)
  async getSignInPolicyImpact(
    @Caller() caller: Principal,
    @Param() { id }: TenantPath,
    @QueryOf(ImpactQuery) query: ImpactQuery,
  ) {
    return PolicyImpactResponse.from(await this.changes.findImpact(caller, id, query));
  }

  @Post('impact')
  @RequireScopes('iam:sign-in-policy:read')
  @CountsAsRead()
  @Operation('Count who could not enter with a policy', 'Changes nothing.')
  @Answers(PolicyImpactResponse)
  async previewSignInPolicy(
    @Caller() caller: Principal,
    @Param() { id }: TenantPath,
    @Body() body: SignInPolicyDto,
  ) {
    return PolicyImpactResponse.from(await this.changes.findImpact(caller, id, body));
  }

  @Post('second-factors')
  @RequireScopes('iam:sign-in-policy:read')
  @CountsAsRead()
  @Operation('Find which members have a second factor', 'Of up to a hundred active members. Changes nothing.')
  @Answers(SecondFactorsResponse)
  async findMembersWithSecondFactor(@Param() { id }: TenantPath, @Body() { userIds }: SecondFactorsDto) {
    return { userIds: await this.changes.findWithSecondFactor(id, userIds) };
  }
}
