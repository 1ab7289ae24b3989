import type { TenantId, UserId } from '../../kernel/index.js';
import type { Command } from '../command.js';
import { ACCOUNT, type CommandOption, ORGANIZATION, PAGE_OPTIONS } from '../options.js';

const PARTNERSHIP: CommandOption = {
  flags: '--partnership <id>',
  description: 'id of the partnership, as listed',
  required: true,
};

const ASSIGNMENT: CommandOption = {
  flags: '--assignment <id>',
  description: 'id of the assignment, as listed',
  required: true,
};

/** The trail has no operator for a command: the organization stands for it. */
const actorOf = (organizationId: TenantId): UserId => String(organizationId) as UserId;

/** Access on things, between organizations, and for a time. Only members give it. */
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
      await services.database.transaction(() =>
        services.partnerships.end(organizationId, actorOf(organizationId), partnershipId),
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
  {
    name: 'assignment:list',
    description: 'list the roles that members of an organization hold on single things',
    options: [
      ORGANIZATION,
      { ...ACCOUNT, required: false },
      { flags: '--thing <uri>', description: 'only on this thing', field: 'on' },
      { flags: '--role <key>', description: 'only this role' },
      { flags: '--expiring <time>', description: 'only what ends before this time' },
      ...PAGE_OPTIONS,
    ],
    columns: ['assignmentId', 'accountId', 'role', 'thing', 'name', 'until', 'source'],
    run: async (services, options) => {
      const organizationId = await services.organizationId(options);
      const query = await services.assignmentsQuery(options);
      return services.page(
        options,
        (page) => services.assignments.listAll(organizationId, page, query),
        ({ id, userId, role, thing, name, until, source, createdAt, createdBy }) => ({
          assignmentId: id,
          accountId: userId,
          role,
          thing,
          name,
          until,
          source,
          createdAt,
          createdBy,
        }),
      );
    },
  },
  {
    name: 'assignment:end',
    description: 'end a role of a member on a single thing, at once',
    options: [ORGANIZATION, ACCOUNT, ASSIGNMENT],
    run: async (services, options) => {
      const organizationId = await services.organizationId(options);
      const accountId = await services.accountId(options);
      const assignmentId = String(options['assignment']);
      await services.database.transaction(() =>
        services.assignments.endAny(organizationId, actorOf(organizationId), accountId, assignmentId),
      );
      return { assignmentId, status: 'ended' };
    },
  },
];
