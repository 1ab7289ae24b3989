import type { UserId } from '../../kernel/index.js';
import type { Command } from '../command.js';
import { type CommandOption, ORGANIZATION, PAGE_OPTIONS } from '../options.js';

const PARTNERSHIP: CommandOption = {
  flags: '--partnership <id>',
  description: 'id of the partnership, as listed',
  required: true,
};

/** Access between organizations, and for a time. Only members decide: they give the role. */
export const PARTNERSHIP_COMMANDS: readonly Command[] = [
  {
    name: 'partnership:list',
    description: 'list the partnerships that an organization offers',
    options: [ORGANIZATION, ...PAGE_OPTIONS],
    columns: ['partnershipId', 'partnerName', 'status', 'roles', 'people', 'until'],
    run: async (services, options) => {
      const organizationId = await services.organizationId(options);
      return services.page(
        options,
        (page) => services.partnerships.list(organizationId, page),
        ({ id, partnerId, partnerName, status, roles, things, people, maxPeople, until }) => ({
          partnershipId: id,
          partnerId,
          partnerName,
          status,
          roles,
          things,
          people,
          maxPeople,
          until,
        }),
      );
    },
  },
  {
    name: 'partnership:end',
    description: 'end a partnership, or withdraw its offer: its people lose the access at once',
    options: [ORGANIZATION, PARTNERSHIP],
    run: async (services, options) => {
      const organizationId = await services.organizationId(options);
      const partnershipId = String(options['partnership']);
      // The trail has no operator for a command: the organization stands for it.
      const actorId = String(organizationId) as UserId;
      await services.database.transaction(() =>
        services.partnerships.end(organizationId, actorId, partnershipId),
      );
      return { partnershipId, status: 'ended' };
    },
  },
  {
    name: 'access-request:list',
    description: 'list the requests of members for a role for some hours',
    options: [
      ORGANIZATION,
      { flags: '--pending', description: 'only requests that wait for a decision' },
      ...PAGE_OPTIONS,
    ],
    columns: ['requestId', 'accountId', 'role', 'thing', 'hours', 'status', 'until'],
    run: async (services, options) => {
      const organizationId = await services.organizationId(options);
      const status = options['pending'] === true ? 'pending' : undefined;
      return services.page(
        options,
        (page) => services.accessRequests.listAll(organizationId, page, status),
        ({ id, userId, role, thing, hours, reason, status: current, createdAt, decidedBy, until }) => ({
          requestId: id,
          accountId: userId,
          role,
          thing,
          hours,
          reason,
          status: current,
          createdAt,
          decidedBy,
          until,
        }),
      );
    },
  },
];
