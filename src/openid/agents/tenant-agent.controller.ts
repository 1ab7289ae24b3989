import { Body, Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { AbilitySubject, RequireScopes, TenantParam, type TenantPath } from '../../ability/index.js';
import { ApisTag } from '../../client/index.js';
import type { Principal } from '../../kernel/index.js';
import {
  ApiParam,
  IfMatch,
  Operation,
  type Page,
  Paged,
  PageOf,
  type Precondition,
  toPage,
  Versioned,
} from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { AskedApis } from '../apis/asked-apis.js';
import { AgentPolicyDto, AgentPolicyResponse, AgentResponse, policyOf } from './agent.dto.js';
import { AgentService } from './agent.service.js';

/** Clients by metadata document in an organization: what they may do, and which ones act. */
@ApisTag()
@TenantParam('id')
@AbilitySubject('id')
@Controller('api/v1/iam/tenants/:id')
export class TenantAgentController {
  constructor(
    private readonly agents: AgentService,
    private readonly asked: AskedApis,
  ) {}

  @Get('agent-policy')
  @RequireScopes('iam:client:read')
  @Operation('Get the agent policy')
  @Versioned(AgentPolicyResponse)
  async getAgentPolicy(@Param() { id }: TenantPath) {
    return AgentPolicyResponse.from(await this.agents.getPolicy(id));
  }

  @Put('agent-policy')
  @RequireScopes('iam:client:update')
  @Operation(
    'Set the agent policy',
    'Which clients by metadata document, such as agents, members can let act in the organization, and with which scopes. Clients that are not allowed any more end at once.',
  )
  @Versioned(AgentPolicyResponse)
  async setAgentPolicy(
    @Caller() { userId }: Principal,
    @Param() { id }: TenantPath,
    @Body() body: AgentPolicyDto,
    @IfMatch() ifMatch: Precondition,
  ) {
    await ifMatch.require(() => this.getAgentPolicy({ id }));
    return AgentPolicyResponse.from(await this.agents.setPolicy(id, userId, policyOf(body)));
  }

  @Get('agents')
  @RequireScopes('iam:client:read')
  @Paged(AgentResponse)
  @Operation(
    'List the agents of an organization',
    'Clients by metadata document that can act in the name of members now.',
  )
  async listAgents(@Param() { id }: TenantPath, @PageOf() page: Page) {
    const agents = await this.agents.list(id, page);
    const apis = await this.asked.findAll(agents.flatMap(({ scopes }) => scopes));
    return toPage(agents, page, (agent) => AgentResponse.from(agent, apis));
  }

  @Delete('agents/:agentId')
  @RequireScopes('iam:client:delete')
  @HttpCode(204)
  @ApiParam({
    name: 'agentId',
    description: '`id` of the agent.',
    schema: {
      type: 'string',
      pattern: '^[0-9A-HJKMNP-TV-Z]{26}$',
      maxLength: 26,
      examples: ['01K3V9D7Q8Z4X5N6M7P8R9S0T1'],
    },
  })
  @Operation(
    'End an agent',
    'Its tokens in the name of each member are refused at once. It can ask them again; the agent policy keeps it out.',
  )
  async endAgent(
    @Caller() { userId }: Principal,
    @Param() { id, agentId }: TenantPath<'agentId'>,
  ): Promise<void> {
    await this.agents.end(id, userId, agentId);
  }
}
