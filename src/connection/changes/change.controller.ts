import { Controller, Delete, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../ability/index.js';
import type { Principal } from '../../kernel/index.js';
import { Answers, Operation, Problems } from '../../platform/api/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Caller } from '../../platform/web/index.js';
import { SingleSignOnTag } from '../connection.declarations.js';
import { ConnectionResponse } from '../connections/connection.response.js';
import { ChangeDecisionService } from './change-decision.service.js';

/** Changes of a connection in use that wait for an owner. */
@SingleSignOnTag()
@TenantParam('id')
@AbilitySubject('connectionId')
@Controller('api/v1/iam/tenants/:id/connections/:connectionId/changes/:changeId')
export class ChangeController {
  constructor(
    private readonly decisions: ChangeDecisionService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Post('confirm')
  @RequireScopes('iam:connection:confirm')
  @Problems('conflict')
  @Operation(
    'Confirm a change that waits',
    'Owners only. A certificate is accepted at once; with other settings the connection is a draft until it is tested and activated. 409 if the settings have changed since it was requested, or if its requester could not request it now.',
  )
  @Answers(ConnectionResponse)
  async confirmConnectionChange(
    @Caller() caller: Principal,
    @Param() { id, connectionId, changeId }: TenantPath<'connectionId' | 'changeId'>,
  ) {
    const connection = await this.decisions.confirm(id, caller, connectionId, changeId);
    return ConnectionResponse.from(connection, this.settings);
  }

  @Delete()
  @RequireScopes('iam:connection:confirm')
  @HttpCode(204)
  @Operation('Refuse a change that waits', 'Owners only. The connection stays as it is.')
  async refuseConnectionChange(
    @Caller() caller: Principal,
    @Param() { id, connectionId, changeId }: TenantPath<'connectionId' | 'changeId'>,
  ): Promise<void> {
    await this.decisions.refuse(id, caller, connectionId, changeId);
  }
}
