import { Body, Controller, Get, Param, Post, Put } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../../ability/index.js';
import type { Principal } from '../../../kernel/index.js';
import {
  Answers,
  Operation,
  type Page,
  Paged,
  PageOf,
  Problems,
  QueryOf,
  Tag,
  toPage,
} from '../../../platform/api/index.js';
import { Caller } from '../../../platform/web/index.js';
import { Creates } from '../../idempotency/creation.interceptor.js';
import {
  AccessRequestPolicyDto,
  AccessRequestPolicyResponse,
  AccessRequestResponse,
  AccessRequestsQuery,
  CreateAccessRequestDto,
} from './access-request.dto.js';
import { AccessDecisionService } from './access-decision.service.js';
import { AccessRequestService } from './access-request.service.js';

/** Requests of members for a role for some hours. */
@Tag('Access requests', 'Members ask for a role for some hours, and others approve it.')
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id')
export class AccessRequestController {
  constructor(
    private readonly requests: AccessRequestService,
    private readonly decisions: AccessDecisionService,
  ) {}

  @Get('access-requests')
  @RequireScopes('iam:access-request:create')
  @AbilitySubject('id')
  @Paged(AccessRequestResponse)
  @Operation('List requests for access', "The caller's. Those who hold `iam:access-request:decide` see all.")
  async listAccessRequests(
    @Caller() caller: Principal,
    @Param() { id }: TenantPath,
    @PageOf() page: Page,
    @QueryOf(AccessRequestsQuery) { status }: AccessRequestsQuery,
  ) {
    return toPage(await this.requests.list(id, caller, page, status), page, AccessRequestResponse.from);
  }

  @Post('access-requests')
  @RequireScopes('iam:access-request:create')
  @AbilitySubject('id')
  @Problems('conflict')
  @Operation(
    'Ask for access',
    'For a role in the organization, or `on` one thing, for some hours from the approval on. Members who can give the role are mailed. It expires after seven days.',
  )
  @Creates(AccessRequestResponse, '/api/v1/iam/tenants/:id/access-requests/{id}')
  async createAccessRequest(
    @Caller() caller: Principal,
    @Param() { id }: TenantPath,
    @Body() body: CreateAccessRequestDto,
  ) {
    return AccessRequestResponse.from(await this.requests.create(id, caller, body));
  }

  @Get('access-requests/:requestId')
  @RequireScopes('iam:access-request:create')
  @AbilitySubject('id')
  @Operation('Get a request for access')
  @Answers(AccessRequestResponse)
  async getAccessRequest(@Caller() caller: Principal, @Param() { id, requestId }: TenantPath<'requestId'>) {
    return AccessRequestResponse.from(await this.requests.get(id, caller, requestId));
  }

  @Post('access-requests/:requestId/approve')
  @RequireScopes('iam:access-request:decide')
  @AbilitySubject('requestId')
  @Problems('conflict')
  @Operation(
    'Approve a request for access',
    'By those who could give the role to this member themselves, and never for oneself.',
  )
  @Answers(AccessRequestResponse)
  async approveAccessRequest(
    @Caller() caller: Principal,
    @Param() { id, requestId }: TenantPath<'requestId'>,
  ) {
    return AccessRequestResponse.from(await this.decisions.approve(id, caller, requestId));
  }

  @Post('access-requests/:requestId/deny')
  @RequireScopes('iam:access-request:decide')
  @AbilitySubject('requestId')
  @Problems('conflict')
  @Operation('Deny a request for access')
  @Answers(AccessRequestResponse)
  async denyAccessRequest(@Caller() caller: Principal, @Param() { id, requestId }: TenantPath<'requestId'>) {
    return AccessRequestResponse.from(await this.decisions.deny(id, caller, requestId));
  }

  @Post('access-requests/:requestId/withdraw')
  @RequireScopes('iam:access-request:withdraw')
  @AbilitySubject('requestId')
  @Problems('conflict')
  @Operation('Withdraw a request for access')
  @Answers(AccessRequestResponse)
  async withdrawAccessRequest(
    @Caller() caller: Principal,
    @Param() { id, requestId }: TenantPath<'requestId'>,
  ) {
    return AccessRequestResponse.from(await this.requests.withdraw(id, caller, requestId));
  }

  @Get('access-request-policy')
  @RequireScopes('iam:access-request:create')
  @AbilitySubject('id')
  @Operation('Get what members may ask for')
  @Answers(AccessRequestPolicyResponse)
  async getAccessRequestPolicy(@Param() { id }: TenantPath) {
    return { maxHours: await this.requests.findMaxHours(id) };
  }

  @Put('access-request-policy')
  @RequireScopes('iam:access-request:configure')
  @AbilitySubject('id')
  @Operation('Set what members may ask for')
  @Answers(AccessRequestPolicyResponse)
  async setAccessRequestPolicy(
    @Caller() { userId }: Principal,
    @Param() { id }: TenantPath,
    @Body() { maxHours }: AccessRequestPolicyDto,
  ) {
    await this.requests.setMaxHours(id, userId, maxHours);
    return { maxHours };
  }
}
