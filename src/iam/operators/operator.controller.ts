import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AbilitySubject, RequireScopes } from '../../ability/index.js';
import { Answers, Operation, type Page, Paged, PageOf, Problems, toPage } from '../../platform/api/index.js';
import { Caller, CallerLocale } from '../../platform/web/index.js';
import type { PersonPrincipal, UserId } from '../../kernel/index.js';
import { Creates } from '../idempotency/creation.interceptor.js';
import {
  GrantOperatorDto,
  OperatorPermissionsResponse,
  OperatorResponse,
  OperatorsTag,
  SetOperatorDto,
} from './operator.dto.js';
import { OperatorService } from './operator.service.js';

/** The operators themselves. */
@OperatorsTag()
@Controller('api/v1/operator')
export class OperatorController {
  constructor(
    private readonly operators: OperatorService,
    private readonly locales: CallerLocale,
  ) {}

  @Get('operators')
  @RequireScopes('platform:operator:read')
  @Paged(OperatorResponse)
  @Operation('List operators')
  async listOperators(@Caller() { userId }: PersonPrincipal, @PageOf() page: Page) {
    return toPage(await this.operators.listFor(userId, page), page, OperatorResponse.from);
  }

  @Post('operators')
  @RequireScopes('platform:operator:create')
  @Problems('conflict')
  @Operation(
    'Make a person an operator',
    'By the verified address of the account. `scopes` restricts the role.',
  )
  @Creates(OperatorResponse, '/api/v1/operator/operators/{userId}')
  async createOperator(@Caller() { userId }: PersonPrincipal, @Body() { email, ...given }: GrantOperatorDto) {
    return OperatorResponse.from(await this.operators.add(userId, email, given));
  }

  @Get('permissions')
  @RequireScopes('platform:operator:read')
  @Operation(
    'List permissions of operators',
    "All to which an operator can be restricted, also of other modules, in the caller's language. Those of one group follow each other.",
  )
  @Answers(OperatorPermissionsResponse)
  async listOperatorPermissions(@Req() request: Request) {
    const locale = await this.locales.find(request);
    return OperatorPermissionsResponse.from(this.operators.listGivableScopes(), locale);
  }

  @Put('operators/:userId')
  @RequireScopes('platform:operator:update')
  @AbilitySubject('userId')
  @Operation(
    'Change what an operator may do',
    'Effective at once. Replaces both: `scopes` is required, and null lifts the restriction, so that the operator may do all that the role gives. The last admin without restrictions stays so.',
  )
  @Answers(OperatorResponse)
  async setOperator(
    @Caller() caller: PersonPrincipal,
    @Param('userId') userId: string,
    @Body() given: SetOperatorDto,
  ) {
    return OperatorResponse.from(await this.operators.update(caller.userId, userId as UserId, given));
  }

  @Delete('operators/:userId')
  @RequireScopes('platform:operator:remove')
  @AbilitySubject('userId')
  @HttpCode(204)
  @Operation('Remove an operator', 'Effective at once. The last admin cannot be removed.')
  async removeOperator(@Caller() caller: PersonPrincipal, @Param('userId') userId: string): Promise<void> {
    await this.operators.remove(caller.userId, userId as UserId);
  }
}
