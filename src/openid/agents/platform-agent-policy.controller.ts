import { Body, Controller, Get, Put } from '@nestjs/common';
import { RequireScopes } from '../../ability/index.js';
import { OperatorsTag } from '../../iam/index.js';
import type { Principal } from '../../kernel/index.js';
import { IfMatch, Operation, type Precondition, Versioned } from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { AgentPolicyDto, AgentPolicyResponse, policyOf } from './agent.dto.js';
import { AgentService } from './agent.service.js';

/** What clients by metadata document may do for people without a selected organization. */
@OperatorsTag()
@Controller('api/v1/operator/agent-policy')
export class PlatformAgentPolicyController {
  constructor(private readonly agents: AgentService) {}

  @Get()
  @RequireScopes('iam:api:read')
  @Operation('Get the agent policy of the platform')
  @Versioned(AgentPolicyResponse)
  async getPlatformAgentPolicy() {
    return AgentPolicyResponse.from(await this.agents.getPolicy(null));
  }

  @Put()
  @RequireScopes('iam:api:create')
  @Operation(
    'Set the agent policy of the platform',
    'It is for people who have selected no organization. Each organization sets its own.',
  )
  @Versioned(AgentPolicyResponse)
  async setPlatformAgentPolicy(
    @Caller() { userId }: Principal,
    @Body() body: AgentPolicyDto,
    @IfMatch() ifMatch: Precondition,
  ) {
    await ifMatch.require(() => this.getPlatformAgentPolicy());
    return AgentPolicyResponse.from(await this.agents.setPolicy(null, userId, policyOf(body)));
  }
}
