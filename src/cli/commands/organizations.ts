import type { TenantId } from '../../kernel/index.js';
import type { Command } from '../command.js';
import { ORGANIZATION } from '../options.js';

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
];
