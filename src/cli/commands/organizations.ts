import { domainToASCII } from 'node:url';
import type { UserId } from '../../kernel/index.js';
import type { Command } from '../command.js';
import { type CommandOption, ORGANIZATION, PAGE_OPTIONS } from '../options.js';

const DOMAIN: CommandOption = {
  flags: '--domain <name>',
  description: 'the domain, as the organization has it',
  required: true,
};

export const ORGANIZATION_COMMANDS: readonly Command[] = [
  {
    name: 'organization:find',
    description: 'find organizations by any part of their name or slug, a verified domain, or an id',
    options: [{ flags: '--query <text>', description: 'all of them without it' }, ...PAGE_OPTIONS],
    run: (services, options) =>
      services.page(
        options,
        (page) => services.operatedTenants.search(String(options['query'] ?? ''), page),
        ({ id, name, slug, createdAt, archivedAt }) => ({
          organizationId: id,
          name,
          slug,
          createdAt,
          archivedAt,
        }),
      ),
  },
  {
    name: 'organization:lift-sso',
    description:
      'make single sign-on optional for an organization whose provider locks its members out; the owners can require it again',
    options: [ORGANIZATION],
    run: async (services, options) => {
      const organizationId = await services.organizationId(options);
      const wasRequired = await services.signInPolicies.liftSingleSignOn(organizationId);
      return { organizationId, sso: 'optional', wasRequired };
    },
  },
  {
    name: 'organization:set-limits',
    description:
      'set how many mails a day outside its verified domains, and how many open invitations, an organization may have',
    options: [
      ORGANIZATION,
      { flags: '--mails-per-day <number>', description: 'mails, or "default"' },
      { flags: '--open-invitations <number>', description: 'invitations, or "default"' },
    ],
    run: async (services, options) => {
      const organizationId = await services.organizationId(options);
      const changes = await services.tenantLimits(options);
      // The trail has no operator for a command: the organization stands for it.
      const limits = await services.limits.set(String(organizationId) as UserId, organizationId, changes);
      return { organizationId, ...limits };
    },
  },
  {
    name: 'domain:withdraw',
    description:
      'withdraw a verified domain from the organization that has it, so that another one can verify it',
    options: [DOMAIN],
    run: async ({ domains }, { domain }) => {
      const name = domainToASCII(String(domain).trim()); // as it is stored
      return { domain: name, withdrawnFrom: await domains.withdraw(name) };
    },
  },
];
