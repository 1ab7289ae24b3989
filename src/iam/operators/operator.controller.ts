import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes } from '../../ability/index.js';
import {
  ApiNoContentResponse,
  ApiOperation,
  type ItemPage,
  type Page,
  Paged,
  PageOf,
  Problems,
  toPage,
} from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import type { PersonPrincipal, UserId } from '../../kernel/index.js';
import { Creates } from '../idempotency/creates.decorator.js';
import { GrantOperatorDto } from './dto/operator.dto.js';
import { OperatorResponse } from './operator.response.js';
import { OperatorService } from './operator.service.js';
import { OperatorsTag } from './operators-tag.js';

/** The operators themselves. */
@OperatorsTag()
@Controller('api/v1/operator/operators')
export class OperatorController {
  constructor(private readonly operators: OperatorService) {}

  @Get()
  @RequireScopes('platform:operator:read')
  @Paged(OperatorResponse)
  @ApiOperation({ operationId: 'listOperators', summary: 'List operators' })
  async list(
    @Caller() { userId }: PersonPrincipal,
    @PageOf() page: Page,
  ): Promise<ItemPage<OperatorResponse>> {
    return toPage(
      await this.operators.listFor(userId, page),
      page,
      ({ id }) => id,
      (operator) => OperatorResponse.from(operator),
    );
  }

  @Post()
  @RequireScopes('platform:operator:create')
  @Problems('conflict')
  @ApiOperation({
    operationId: 'createOperator',
    summary: 'Make a person an operator',
    description: 'By the verified address of the account.',
  })
  @Creates(OperatorResponse, '/api/v1/operator/operators/{userId}')
  async create(
    @Caller() { userId }: PersonPrincipal,
    @Body() { email, role }: GrantOperatorDto,
  ): Promise<OperatorResponse> {
    return OperatorResponse.from(await this.operators.add(userId, email, role));
  }

  @Delete(':userId')
  @RequireScopes('platform:operator:remove')
  @AbilitySubject('userId')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'removeOperator',
    summary: 'Remove an operator',
    description: 'Effective at once. The last admin cannot be removed.',
  })
  @ApiNoContentResponse()
  async remove(@Caller() caller: PersonPrincipal, @Param('userId') userId: string): Promise<void> {
    await this.operators.remove(caller.userId, userId as UserId);
  }
}
