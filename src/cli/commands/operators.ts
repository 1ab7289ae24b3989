import type { Command } from '../command.js';
import { type CommandOption, PAGE_OPTIONS, PERSONAL_DATA } from '../options.js';

const EMAIL: CommandOption = {
  flags: '--email <address>',
  description: 'verified address of the account',
  required: true,
};

export const OPERATOR_COMMANDS: readonly Command[] = [
  {
    name: 'operator:list',
    description: 'list the platform operators',
    options: [PERSONAL_DATA, ...PAGE_OPTIONS],
    run: (services, options) =>
      services.page(
        options,
        (page) => services.operators.list(page),
        ({ id, role, since, email, firstName }) => ({
          accountId: id,
          role,
          since,
          ...(options['personalData'] === true ? { email, firstName } : {}),
        }),
      ),
  },
  {
    name: 'operator:grant',
    description: 'make the account of a verified address a platform operator, or change the role',
    options: [EMAIL, { flags: '--role <role>', description: 'support or admin; admin by default' }],
    run: async (services, { email, role }) => {
      const given = await services.operatorRole({ email, role });
      return { operatorId: await services.operators.grant(given.email, given.role), role: given.role };
    },
  },
  {
    name: 'operator:revoke',
    description: 'revoke the operator role of an account at once',
    options: [EMAIL],
    run: async ({ operators }, { email }) => ({ operatorId: await operators.revoke(String(email)) }),
  },
];
