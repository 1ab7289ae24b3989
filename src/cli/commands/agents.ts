import type { Command } from '../command.js';
import { ORGANIZATION, PAGE_OPTIONS } from '../options.js';

export const AGENT_COMMANDS: readonly Command[] = [
  {
    name: 'agent:list',
    description: 'list the agents that act in the name of members of an organization',
    options: [ORGANIZATION, ...PAGE_OPTIONS],
    columns: ['agentId', 'clientId', 'name', 'people', 'lastUsedAt'],
    run: async (services, options) => {
      const organizationId = await services.organizationId(options);
      return services.page(
        options,
        (page) => services.agents.list(organizationId, page),
        ({ id, clientId, name, people, lastUsedAt }) => ({
          agentId: id,
          clientId,
          name,
          people,
          lastUsedAt,
        }),
      );
    },
  },
  {
    name: 'agent:end',
    description: 'end an agent for all members of an organization: its tokens are refused at once',
    options: [
      ORGANIZATION,
      { flags: '--agent <id>', description: 'id of the agent, as listed', required: true },
    ],
    run: async (services, options) => {
      const agentId = String(options['agent']);
      await services.agents.end(await services.organizationId(options), null, agentId);
      return { agentId, status: 'ended' };
    },
  },
];
