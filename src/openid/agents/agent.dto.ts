import {
  AGENT_CLIENTS,
  type AgentClients,
  type AgentPolicy,
  CLIENT_LOGO_URL,
  clientLogoUrlOf,
  hostOfClientUrl,
} from '../../client/index.js';
import type { Api } from '../../client/index.js';
import {
  Input,
  integerField,
  listField,
  objectListField,
  Output,
  toResponse,
  wordField,
} from '../../platform/api/index.js';
import { AskedApiResponse } from '../apis/asked-api.dto.js';
import type { Agent } from './agent.repository.js';

const CLIENTS = wordField(AGENT_CLIENTS, {
  description: '`off`, the default; `listed` for the clients below; or `any` that publishes a document.',
});
const LISTED = listField({
  max: 100,
  itemMax: 250,
  pattern: /^https?:\/\/[\x21-\x7e]{1,240}$/,
  message: 'must be an https address of at most 250 characters',
  example: ['https://agent.example.com', 'https://tools.example.org/oauth/client.json'],
  description: 'Client ids, or origins that stand for each client id of theirs.',
});
const SCOPES = listField({
  max: 200,
  pattern: /^[0-9A-HJKMNP-TV-Z]{26}\/[\x21\x23-\x5b\x5d-\x7e]{0,100}$/,
  message: 'must have the format <id of the API>/<scope>',
  example: ['01K3V9D7Q8Z4X5N6M7P8R9S0T8/orders:read'],
  description:
    'Scopes that these clients can have, `<id of the API>/<scope>`; `<id of the API>/` for an API without scopes.',
});
const MAX_DAYS = integerField({
  min: 1,
  max: 365,
  example: 30,
  description: 'Days after which an agent must ask the person again; null for the end of their session.',
});

/** A policy. Fields that are left out are empty. */
export class AgentPolicyDto {
  @Input(CLIENTS)
  clients: AgentClients;
  @Input(LISTED, { optional: true })
  listed?: string[];
  @Input(SCOPES, { optional: true, example: [] })
  scopes?: string[];
  @Input(MAX_DAYS, { optional: true, nullable: true })
  maxDays?: number | null;
}

/** Returns the policy of a body. */
export const policyOf = ({
  clients,
  listed = [],
  scopes = [],
  maxDays = null,
}: AgentPolicyDto): AgentPolicy => ({
  clients,
  listed,
  scopes,
  maxDays,
});

export class AgentPolicyResponse {
  @Output(CLIENTS)
  clients: AgentClients;
  @Output(LISTED)
  listed: string[];
  @Output(SCOPES)
  scopes: string[];
  @Output(MAX_DAYS, { nullable: true })
  maxDays: number | null;

  static from({ clients, listed, scopes, maxDays }: AgentPolicy): AgentPolicyResponse {
    return { clients, listed, scopes, maxDays };
  }
}

export class AgentResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @Output.text({ max: 250, format: 'uri', example: 'https://agent.example.com/client.json' })
  clientId: string;
  @Output.text({ max: 250, example: 'agent.example.com', description: 'Host of the client id, in ASCII.' })
  host: string;
  @Output.text({ max: 100, example: 'Agent', description: 'As its document says, unchecked.' })
  name: string;
  @Output(CLIENT_LOGO_URL, { nullable: true })
  logoUrl: string | null;
  @Output.integer({ min: 1, max: 2_147_483_647, example: 3, description: 'Members in whose name it acts.' })
  people: number;
  @Output(objectListField(() => AskedApiResponse, 100), {
    description: 'What these members have allowed it.',
  })
  apis: AskedApiResponse[];
  @Output.time({ description: 'Its last token.' })
  lastUsedAt: string;

  static from(agent: Agent, apis: readonly Api[]): AgentResponse {
    return toResponse(AgentResponse, {
      ...agent,
      host: hostOfClientUrl(agent.clientId),
      logoUrl: clientLogoUrlOf(agent),
      apis: AskedApiResponse.listOf(apis, agent.scopes),
    });
  }
}
