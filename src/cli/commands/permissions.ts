import { AppError } from '../../platform/errors/index.js';
import type { Command } from '../command.js';
import type { CommandOption } from '../options.js';
import { readJson } from './read-json.js';

const MODULE: CommandOption = {
  flags: '--module <name>',
  description: 'name by which the scopes begin',
  required: true,
};

export const PERMISSION_COMMANDS: readonly Command[] = [
  {
    name: 'permissions:list',
    description: 'list the permissions of other services, by module',
    columns: ['module', 'title', 'updatedAt'],
    run: async ({ permissions }) => ({ items: await permissions.list(), nextCursor: null }),
  },
  {
    name: 'permissions:register',
    description: 'register the permissions of another service, in place of those that it had',
    options: [
      MODULE,
      {
        flags: '--file <path>',
        description: 'JSON with title and permissions, as the API takes it',
        required: true,
      },
    ],
    run: async (services, { module, file }) => {
      const given = await services.permissionsOf(String(module), await readJson(String(file)));
      return services.permissions.register(null, String(module), given);
    },
  },
  {
    name: 'permissions:remove',
    description: 'remove the permissions of another service: roles hold them no more',
    options: [MODULE],
    run: async ({ permissions }, { module }) => {
      await permissions.remove(null, String(module)).catch((error: unknown) => {
        if (!(error instanceof AppError && error.code === 'not-found')) throw error;
        throw AppError.violation('module', 'no permissions are registered under this name');
      });
      return { module };
    },
  },
];
