import { domainToASCII } from 'node:url';
import type { TenantId } from '../../kernel/index.js';
import type { Command } from '../command.js';
import { type CommandOption, ORGANIZATION } from '../options.js';

const DOMAIN: CommandOption = {
  flags: '--domain <name>',
  description: 'the domain, as the organization has it',
  required: true,
};

export const ORGANIZATION_COMMANDS: readonly Command[] = [
  {
    name: 'organization:lift-sso',
    description:
      'make single sign-on optional for an organization whose provider locks its members out; the owners can require it again',
    options: [ORGANIZATION],
    run: async ({ signInPolicies }, { organization }) => {
      const organizationId = String(organization);
      const wasRequired = await signInPolicies.liftSingleSignOn(organizationId as TenantId);
      return { organizationId, sso: 'optional', wasRequired };
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
