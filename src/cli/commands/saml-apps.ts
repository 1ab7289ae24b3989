import type { Command } from '../command.js';
import { type CommandOption, type Options, PAGE_OPTIONS } from '../options.js';
import { readJson, readText } from './read-json.js';

const CLIENT_ID: CommandOption = {
  flags: '--client-id <id>',
  description: 'client id of the app',
  required: true,
};
const SETTINGS: readonly CommandOption[] = [
  { flags: '--metadata <path>', description: 'metadata of the app, as XML' },
  { flags: '--file <path>', description: 'JSON with further settings, as the API takes it' },
];

/** Apps that speak SAML; they are disabled and enabled as satellites. */
export const SAML_APP_COMMANDS: readonly Command[] = [
  {
    name: 'saml-app:list',
    description: 'list the apps that speak SAML in order of registration',
    options: PAGE_OPTIONS,
    columns: ['clientId', 'name', 'status', 'organizationId', 'createdAt'],
    run: (services, options) =>
      services.page(
        options,
        (page) => services.clients.list(page, 'saml'),
        ({ id, clientId, name, tenantId, firstParty, createdAt, disabledAt }) => ({
          id,
          clientId,
          name,
          status: disabledAt ? 'disabled' : 'active',
          organizationId: tenantId,
          firstParty,
          createdAt,
        }),
      ),
  },
  {
    name: 'saml-app:show',
    description: 'show an app that speaks SAML, and how it is to know this service',
    options: [CLIENT_ID],
    run: async ({ samlClients, samlResponses }, { clientId }) =>
      samlResponses.of(await samlClients.get(null, String(clientId))),
  },
  {
    name: 'saml-app:register',
    description: 'register an app of the platform that speaks SAML',
    options: [
      CLIENT_ID,
      { flags: '--name <name>', description: 'name that users see', required: true },
      ...SETTINGS,
      { flags: '--first-party', description: 'an app of yours: its visitors are not asked for consent' },
    ],
    run: async (services, { clientId, name, firstParty, ...options }) => {
      const settings = await settingsOf(options);
      const first = firstParty === true && { firstParty };
      const data = await services.check('newSamlClient', { ...settings, clientId, name, ...first });
      const key = await services.samlKeys.generate();
      return services.samlResponses.of(await services.samlClients.registerForPlatform(null, data, key));
    },
  },
  {
    name: 'saml-app:update',
    description: 'change the settings of an app that speaks SAML; what is not given does not change',
    options: [CLIENT_ID, ...SETTINGS],
    run: async (services, { clientId, ...options }) => {
      const changes = await services.check('samlClientChanges', await settingsOf(options));
      return services.samlResponses.of(
        await services.samlClients.update(null, null, String(clientId), changes),
      );
    },
  },
  {
    name: 'saml-app:rotate-key',
    description: 'add a signing key for an app that speaks SAML; it signs after 30 days',
    options: [CLIENT_ID],
    run: async ({ samlClients, samlKeys, samlResponses }, { clientId }) => {
      const key = await samlKeys.generate();
      return samlResponses.of(await samlClients.rotateKey(null, null, String(clientId), key));
    },
  },
];

/** @throws {AppError} a violation that names the option */
async function settingsOf({ metadata, file }: Options): Promise<object> {
  return {
    ...(file !== undefined && (await readJson(String(file)))),
    ...(metadata !== undefined && { metadata: await readText(String(metadata), 'metadata') }),
  };
}
