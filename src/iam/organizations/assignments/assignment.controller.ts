import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../../ability/index.js';
import type { Principal, UserId } from '../../../kernel/index.js';
import {
  Answers,
  Operation,
  type Page,
  Paged,
  PageOf,
  Problems,
  QueryOf,
  toPage,
} from '../../../platform/api/index.js';
import { Caller } from '../../../platform/web/index.js';
import { Creates } from '../../idempotency/creation.interceptor.js';
import { MembersTag } from '../organization.declarations.js';
import { AssignmentResponse, AssignmentsQuery, AssignRoleDto } from './assignment.dto.js';
import { AssignmentService } from './assignment.service.js';

/** Operations on the roles that members hold on single things. */
@MembersTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id')
export class AssignmentController {
  constructor(private readonly assignments: AssignmentService) {}

  @Get('assignments')
  @RequireScopes('iam:member:read')
  @AbilitySubject('id')
  @Paged(AssignmentResponse)
  @Operation(
    'List who has access to things',
    'Lists the roles that members hold on single things. What has ended is not listed.',
  )
  async listAssignments(
    @Caller() caller: Principal,
    @Param() { id }: TenantPath,
    @PageOf() page: Page,
    @QueryOf(AssignmentsQuery) query: AssignmentsQuery,
  ) {
    const found = await this.assignments.list(id, caller, page, query);
    return toPage(found, page, AssignmentResponse.from);
  }

  @Get('members/:userId/assignments')
  @RequireScopes('iam:member:read')
  @AbilitySubject('id')
  @Paged(AssignmentResponse)
  @Operation("List a member's roles on things")
  async listMemberAssignments(
    @Caller() caller: Principal,
    @Param() { id, userId }: TenantPath<'userId'>,
    @PageOf() page: Page,
  ) {
    const found = await this.assignments.listOfMember(id, caller, page, userId as UserId);
    return toPage(found, page, AssignmentResponse.from);
  }

  @Post('members/:userId/assignments')
  @RequireScopes('iam:member:update')
  @AbilitySubject('userId')
  @Problems('conflict')
  @Operation(
    'Assign a role on a thing',
    'The member holds the role on this thing and on what is below it, besides the roles in the whole organization. The caller must hold every permission of the role.',
  )
  @Creates(AssignmentResponse, '/api/v1/iam/tenants/:id/members/:userId/assignments/{id}')
  async assignRole(
    @Caller() caller: Principal,
    @Param() { id, userId }: TenantPath<'userId'>,
    @Body() body: AssignRoleDto,
  ) {
    return AssignmentResponse.from(await this.assignments.assign(id, caller, userId as UserId, body));
  }

  @Get('members/:userId/assignments/:assignmentId')
  @RequireScopes('iam:member:read')
  @AbilitySubject('id')
  @Operation("Get a member's role on a thing")
  @Answers(AssignmentResponse)
  async getAssignment(
    @Caller() caller: Principal,
    @Param() { id, userId, assignmentId }: TenantPath<'userId' | 'assignmentId'>,
  ) {
    return AssignmentResponse.from(await this.assignments.get(id, caller, userId as UserId, assignmentId));
  }

  @Delete('members/:userId/assignments/:assignmentId')
  @RequireScopes('iam:member:update')
  @AbilitySubject('userId')
  @Problems('conflict')
  @HttpCode(204)
  @Operation("End a member's role on a thing")
  async endAssignment(
    @Caller() caller: Principal,
    @Param() { id, userId, assignmentId }: TenantPath<'userId' | 'assignmentId'>,
  ): Promise<void> {
    await this.assignments.end(id, caller, userId as UserId, assignmentId);
  }
}
