import { CHANGED, type Recorded, RecordedAs } from '../iam/index.js';
import { Output } from '../platform/api/index.js';
import { EventType } from '../platform/events/index.js';

const policy = { data: ({ changed }: Recorded) => ({ changed: [...changed] }) };

class PolicyEvent {
  @Output(CHANGED, { example: ['clients'] })
  changed: string[];
}

@RecordedAs(['agent-policy.changed'], policy)
@EventType('iam.agent-policy.changed', {
  description: 'An organization allows other clients by metadata document, or other scopes of them.',
  readScope: 'iam:client:read',
})
export class AgentPolicyChanged extends PolicyEvent {}

@RecordedAs(['platform-agent-policy.changed'], { ...policy, concerns: 'platform' })
@EventType('iam.platform-agent-policy.changed', {
  description: 'The platform allows other clients by metadata document, or other scopes of them.',
  readScope: 'iam:api:read',
  platform: 'only',
})
export class PlatformAgentPolicyChanged extends PolicyEvent {}

@RecordedAs(['agent.ended'], { data: ({ id }: Recorded) => ({ agentId: id }) })
@EventType('iam.agent.ended', {
  description: 'An administrator ended what an agent may do in the name of members.',
  readScope: 'iam:client:read',
})
export class AgentEnded {
  @Output.ulid({ description: 'The agent.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  agentId: string;
}
