import type { Command } from '../command.js';
import { type CommandOption, PAGE_OPTIONS } from '../options.js';
import { readJson } from './read-json.js';

const API: CommandOption = { flags: '--api <id>', description: 'id of the API', required: true };
const CLIENT_ID: CommandOption = {
  flags: '--client-id <id>',
  description: 'client id of the client',
  required: true,
};

/** APIs of the platform, which accept its tokens, and the clients that reach them. */
export const API_COMMANDS: readonly Command[] = [
  {
    name: 'api:list',
    description: 'list the APIs of the platform',
    options: PAGE_OPTIONS,
    columns: ['id', 'identifier', 'name', 'accessTokenSeconds', 'accessTokenAlg'],
    run: (services, options) =>
      services.page(
        options,
        (page) => services.apis.list(null, page),
        (api) => api,
      ),
  },
  {
    name: 'api:register',
    description: 'register an API of the platform',
    options: [
      {
        flags: '--file <path>',
        description: 'JSON with identifier, name and scopes, as the API takes it',
        required: true,
      },
    ],
    run: async (services, { file }) =>
      services.apis.register(null, null, await services.check('api', await readJson(String(file)))),
  },
  {
    name: 'api:delete',
    description: 'delete an API of the platform: no further tokens are issued for it',
    options: [API],
    run: async ({ apis }, { api }) => {
      await apis.delete(null, null, String(api));
      return { id: api, status: 'deleted' };
    },
  },
  {
    name: 'api:create-credential',
    description: 'create the credential by which an API asks for the state of tokens, and print it once',
    options: [API],
    run: async ({ apis }, { api }) => ({
      clientId: api,
      ...(await apis.createCredential(null, null, String(api))),
    }),
  },
  {
    name: 'api:list-reach',
    description: 'list the APIs that a client reaches',
    options: [CLIENT_ID, ...PAGE_OPTIONS],
    columns: ['apiId', 'identifier', 'name', 'scopes'],
    run: async (services, options) => {
      const { clientId } = await services.clients.get(String(options['clientId']));
      return services.page(
        options,
        async (page) => {
          const reached = await services.apis.listReached(null, clientId, page);
          return reached.map((one) => ({ id: one.apiId, ...one }));
        },
        ({ id: _id, ...reached }) => reached,
      );
    },
  },
  {
    name: 'api:set-reach',
    description: 'give a client scopes of an API, in place of those that it had; without --scope it has none',
    options: [
      CLIENT_ID,
      API,
      { flags: '--scope <scope>', description: 'a scope of the API', repeatable: true, field: 'scopes' },
    ],
    run: async (services, { clientId: named, api, scope }) => {
      const { clientId } = await services.clients.get(String(named));
      const { scopes } = await services.check('reach', { scopes: scope ?? [] });
      await services.apis.setReach(null, null, { id: String(api), clientId, scopes });
      return { apiId: api, clientId, scopes };
    },
  },
];
