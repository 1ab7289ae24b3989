import type { Command } from '../command.js';
import { ACCOUNT, PAGE_OPTIONS, PERSONAL_DATA } from '../options.js';

export const OPERATOR_COMMANDS: readonly Command[] = [
  {
    name: 'operator:list',
    description: 'list the platform operators',
    options: [PERSONAL_DATA, ...PAGE_OPTIONS],
    run: (services, options) =>
      services.page(
        options,
        (page) => services.operators.list(page),
        ({ id, role, scopes, since, email, ...person }) => ({
          accountId: id,
          role,
          scopes,
          since,
          ...(options['personalData'] === true ? { email, ...person } : {}),
        }),
      ),
  },
  {
    name: 'operator:grant',
    description: 'make an account a platform operator, or change what one may do',
    options: [
      ACCOUNT,
      { flags: '--role <role>', description: 'support or admin; admin by default' },
      {
        flags: '--scope <scope>',
        description: 'restricts the role; by default all that the role gives',
        repeatable: true,
      },
    ],
    run: async (services, options) => {
      const given = await services.operatorRole(options);
      const scopes = given.scopes ?? null;
      const operatorId = await services.operators.grant(given.email, given.role, scopes);
      return { operatorId, role: given.role, scopes };
    },
  },
  {
    name: 'operator:revoke',
    description: 'revoke the operator role of an account at once',
    options: [ACCOUNT],
    run: async (services, options) => ({
      operatorId: await services.operators.revoke(await services.address(options)),
    }),
  },
];
