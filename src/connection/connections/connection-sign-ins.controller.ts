import { Controller, Get, Param } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../ability/index.js';
import { Answers, Operation } from '../../platform/api/index.js';
import { beginOf, ChartResponse, CountRepository } from '../../platform/counts/index.js';
import { SingleSignOnTag } from '../connection.declarations.js';
import { ConnectionService } from './connection.service.js';

/** How sign-ins by a connection went. */
@SingleSignOnTag()
@TenantParam('id')
@Controller('api/v1/iam/tenants/:id/connections/:connectionId/sign-ins')
export class ConnectionSignInsController {
  constructor(
    private readonly connections: ConnectionService,
    private readonly counts: CountRepository,
  ) {}

  @Get()
  @RequireScopes('iam:connection:read')
  @AbilitySubject('id')
  @Operation(
    'List the sign-ins by a connection',
    'Of the last 30 days, by outcome: `signed_in`, or the reason of a refusal, as the page of the sign-in gets it, or `metadata_expired`. Tests do not count.',
  )
  @Answers(ChartResponse)
  async getConnectionSignIns(@Param() { id, connectionId }: TenantPath<'connectionId'>) {
    await this.connections.get(id, connectionId);
    const since = beginOf('day');
    const rows = await this.counts.listOfSources(id, 'day', 'connection-sign-in', since, connectionId);
    return ChartResponse.from(rows, 'day', since);
  }
}
