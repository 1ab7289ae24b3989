import type { Command } from '../command.js';
import { type CommandOption, type Options, ORGANIZATION, PAGE_OPTIONS } from '../options.js';
import type { Services } from '../services.js';

const SERVICE_ACCOUNT: CommandOption = {
  flags: '--service-account <id>',
  description: 'id of the service account',
  required: true,
};

export const SERVICE_ACCOUNT_COMMANDS: readonly Command[] = [
  {
    name: 'service-account:list',
    description: 'list the service accounts of an organization',
    options: [ORGANIZATION, ...PAGE_OPTIONS],
    columns: ['serviceAccountId', 'name', 'status', 'roles', 'lastUsedAt'],
    run: async (services, options) => {
      const organizationId = await services.organizationId(options);
      return services.page(
        options,
        (page) => services.serviceAccounts.list(organizationId, page),
        ({ id, name, status, roles, contact, createdAt, lastUsedAt }) => ({
          serviceAccountId: id,
          name,
          status,
          roles,
          contact,
          createdAt,
          lastUsedAt,
        }),
      );
    },
  },
  {
    name: 'service-account:disable',
    description: 'disable a service account: its keys and other credentials are refused at once',
    options: [ORGANIZATION, SERVICE_ACCOUNT],
    run: (services, options) => setStatus(services, options, 'disabled'),
  },
  {
    name: 'service-account:enable',
    description: 'enable a disabled service account of an organization that lets support in',
    options: [ORGANIZATION, SERVICE_ACCOUNT],
    run: (services, options) => setStatus(services, options, 'active'),
  },
  {
    name: 'key:list',
    description: 'list the keys of a service account, without their secrets',
    options: [ORGANIZATION, SERVICE_ACCOUNT, ...PAGE_OPTIONS],
    columns: ['keyId', 'name', 'expiresAt', 'lastUsedAt'],
    run: async (services, options) => {
      const organizationId = await services.organizationId(options);
      return services.page(
        options,
        (page) => services.serviceAccounts.listKeys(organizationId, accountOf(options), page),
        ({ id, name, scopes, networks, createdBy, createdAt, expiresAt, lastUsedAt }) => ({
          keyId: id,
          name,
          scopes,
          networks,
          createdBy,
          createdAt,
          expiresAt,
          lastUsedAt,
        }),
      );
    },
  },
  {
    name: 'key:revoke',
    description: 'revoke a key of a service account: it is refused at once',
    options: [
      ORGANIZATION,
      SERVICE_ACCOUNT,
      { flags: '--key <id>', description: 'id of the key, as listed', required: true },
    ],
    run: async (services, options) => {
      const keyId = String(options['key']);
      const organizationId = await services.organizationId(options);
      await services.serviceAccounts.revokeKey(organizationId, accountOf(options), keyId);
      return { keyId, status: 'revoked' };
    },
  },
];

const accountOf = ({ serviceAccount }: Options) => String(serviceAccount);

async function setStatus(
  services: Services,
  options: Options,
  status: 'active' | 'disabled',
): Promise<object> {
  const serviceAccountId = accountOf(options);
  await services.serviceAccounts.setStatus(await services.organizationId(options), serviceAccountId, status);
  return { serviceAccountId, status };
}
