import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../ability/index.js';
import { Creates } from '../../iam/index.js';
import type { Principal } from '../../kernel/index.js';
import { Operation, type Page, Paged, PageOf, Problems, toPage } from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { MachinesTag } from '../machine.declarations.js';
import { CreateTrustRuleDto, TrustRuleResponse } from './trust-rule.dto.js';
import { TrustRuleService } from './trust-rule.service.js';

/** Rules by which a service account trusts workloads of other issuers. */
@MachinesTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id/service-accounts/:accountId/trust-rules')
export class TrustRuleController {
  constructor(private readonly rules: TrustRuleService) {}

  @Get()
  @RequireScopes('iam:trust-rule:read')
  @AbilitySubject('accountId')
  @Paged(TrustRuleResponse)
  @Operation('List trust rules')
  async listTrustRules(@Param() { id, accountId }: TenantPath<'accountId'>, @PageOf() page: Page) {
    return toPage(await this.rules.list(id, accountId, page), page, TrustRuleResponse.from);
  }

  @Post()
  @RequireScopes('iam:trust-rule:create')
  @AbilitySubject('accountId')
  @Problems('conflict')
  @Operation(
    'Create a trust rule for a workload',
    'Tokens of the issuer that fit all conditions are exchanged for tokens of the account, at `/oauth2/token`.',
  )
  @Creates(TrustRuleResponse, '/api/v1/iam/tenants/:id/service-accounts/:accountId/trust-rules/{id}')
  async createTrustRule(
    @Caller() caller: Principal,
    @Param() { id, accountId }: TenantPath<'accountId'>,
    @Body() body: CreateTrustRuleDto,
  ) {
    return TrustRuleResponse.from(await this.rules.create(id, caller, accountId, body));
  }

  @Delete(':ruleId')
  @RequireScopes('iam:trust-rule:delete')
  @AbilitySubject('ruleId')
  @HttpCode(204)
  @Operation('Delete a trust rule')
  async deleteTrustRule(
    @Caller() { userId }: Principal,
    @Param() { id, accountId, ruleId }: TenantPath<'accountId' | 'ruleId'>,
  ): Promise<void> {
    await this.rules.delete(id, userId, accountId, ruleId);
  }
}
