import type { Command } from '../command.js';
import { type CommandOption, type Options, PAGE_OPTIONS } from '../options.js';
import type { Services } from '../services.js';

const ACCOUNT: CommandOption = {
  flags: '--service-account <id>',
  description: 'id of the service account of the platform',
  required: true,
};

export const PLATFORM_ACCOUNT_COMMANDS: readonly Command[] = [
  {
    name: 'platform-account:create',
    description: 'create a service account of the platform, which belongs to no organization',
    options: [
      { flags: '--name <name>', description: 'name, for the people who manage it', required: true },
      { flags: '--role <role>', description: 'what it may do: support (the default) or admin' },
    ],
    run: async (services, options) => {
      const { name, role } = await services.platformAccount(options);
      return { serviceAccountId: await services.platformAccounts.create(name, role), name, role };
    },
  },
  {
    name: 'platform-account:list',
    description: 'list the service accounts of the platform',
    options: PAGE_OPTIONS,
    columns: ['serviceAccountId', 'name', 'role', 'status'],
    run: (services, options) =>
      services.page(
        options,
        (page) => services.platformAccounts.list(page),
        ({ id, name, role, status, createdAt }) => ({
          serviceAccountId: id,
          name,
          role,
          status,
          createdAt,
        }),
      ),
  },
  {
    name: 'platform-account:disable',
    description: 'disable a service account of the platform: its keys are refused at once',
    options: [ACCOUNT],
    run: (services, options) => setStatus(services, options, 'disabled'),
  },
  {
    name: 'platform-account:enable',
    description: 'enable a disabled service account of the platform',
    options: [ACCOUNT],
    run: (services, options) => setStatus(services, options, 'active'),
  },
  {
    name: 'platform-account:delete',
    description: 'delete a service account of the platform with its keys',
    options: [ACCOUNT],
    run: async ({ platformAccounts }, options) => {
      const serviceAccountId = accountOf(options);
      await platformAccounts.delete(serviceAccountId);
      return { serviceAccountId, status: 'deleted' };
    },
  },
  {
    name: 'platform-key:create',
    description: 'create a key of a service account of the platform, and print it once',
    options: [
      ACCOUNT,
      { flags: '--name <name>', description: 'name, for the people who manage it', required: true },
      { flags: '--days <number>', description: 'lifetime, 1 to 365 days; 90 by default' },
      {
        flags: '--scope <scope>',
        description: 'a scope to which the key is restricted; all of the role by default',
        repeatable: true,
        field: 'scopes',
      },
      {
        flags: '--network <cidr>',
        description: 'a network from which the key is accepted; any by default',
        repeatable: true,
        field: 'networks',
      },
    ],
    run: async (services, options) => {
      const given = await services.platformKey(options);
      const { id, expiresAt, plainKey } = await services.platformAccounts.createKey(
        accountOf(options),
        given,
      );
      return { keyId: id, expiresAt, key: plainKey };
    },
  },
  {
    name: 'platform-key:list',
    description: 'list the keys of a service account of the platform, without their secrets',
    options: [ACCOUNT, ...PAGE_OPTIONS],
    columns: ['keyId', 'name', 'expiresAt', 'lastUsedAt'],
    run: (services, options) =>
      services.page(
        options,
        (page) => services.platformAccounts.listKeys(accountOf(options), page),
        ({ id, name, scopes, networks, createdAt, expiresAt, lastUsedAt }) => ({
          keyId: id,
          name,
          scopes,
          networks,
          createdAt,
          expiresAt,
          lastUsedAt,
        }),
      ),
  },
  {
    name: 'platform-key:revoke',
    description: 'revoke a key of a service account of the platform: it is refused at once',
    options: [ACCOUNT, { flags: '--key <id>', description: 'id of the key, as listed', required: true }],
    run: async ({ platformAccounts }, options) => {
      const keyId = String(options['key']);
      await platformAccounts.revokeKey(accountOf(options), keyId);
      return { keyId, status: 'revoked' };
    },
  },
];

const accountOf = ({ serviceAccount }: Options) => String(serviceAccount);

async function setStatus(
  { platformAccounts }: Services,
  options: Options,
  status: 'active' | 'disabled',
): Promise<object> {
  const serviceAccountId = accountOf(options);
  await platformAccounts.setStatus(serviceAccountId, status);
  return { serviceAccountId, status };
}
