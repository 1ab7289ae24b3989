import { Body, Controller, Get, Param, Post, Put } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../ability/index.js';
import type { Principal } from '../../kernel/index.js';
import { Answers, CountsAsRead, Operation } from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { SingleSignOnTag } from '../connection.declarations.js';
import { PreviewRulesDto, RulesDto, RulesPreviewResponse, RulesResponse } from './rule.dto.js';
import { type GivenRule, RuleService } from './rule.service.js';

/** Rules by which sign-ins by a connection give roles. */
@SingleSignOnTag()
@TenantParam('id')
@AbilitySubject('connectionId')
@Controller('api/v1/iam/tenants/:id/connections/:connectionId/rules')
export class RuleController {
  constructor(private readonly rules: RuleService) {}

  @Get()
  @RequireScopes('iam:connection:update')
  @Operation('List the rules of a connection')
  @Answers(RulesResponse)
  async listConnectionRules(@Param() { id, connectionId }: TenantPath<'connectionId'>) {
    return toResponse(await this.rules.list(id, connectionId));
  }

  @Put()
  @RequireScopes('iam:connection:update')
  @Operation(
    'Replace the rules of a connection',
    'All rules that match count. The caller has to hold what the roles give, and the role of an owner to give that one.',
  )
  @Answers(RulesResponse)
  async replaceConnectionRules(
    @Caller() caller: Principal,
    @Param() { id, connectionId }: TenantPath<'connectionId'>,
    @Body() { items }: RulesDto,
  ) {
    return toResponse(await this.rules.replace(id, caller, connectionId, items));
  }

  @Post('preview')
  @RequireScopes('iam:connection:update')
  @CountsAsRead()
  @Operation(
    'Preview the rules of a connection',
    'What a sign-in with these attributes would give. Changes nothing.',
  )
  @Answers(RulesPreviewResponse)
  previewConnectionRules(
    @Param() { id, connectionId }: TenantPath<'connectionId'>,
    @Body() { attributes }: PreviewRulesDto,
  ): Promise<RulesPreviewResponse> {
    const byName = Object.fromEntries(attributes.map(({ name, values }) => [name, values]));
    return this.rules.preview(id, connectionId, byName);
  }
}

const toResponse = (items: readonly GivenRule[]): RulesResponse => ({ items: [...items] });
