import { AppError } from '../../platform/errors/index.js';
import type { Satellite } from '../../satellite/index.js';
import type { Command } from '../command.js';
import { type CommandOption, PAGE_OPTIONS } from '../options.js';

const CLIENT_ID: CommandOption = {
  flags: '--client-id <id>',
  description: 'client id of the satellite',
  required: true,
};
const SCOPES: CommandOption = {
  flags: '--scope <scope>',
  description: 'a scope of its tokens; * for all that the user holds',
  repeatable: true,
  field: 'scopes',
};

export const SATELLITE_COMMANDS: readonly Command[] = [
  {
    name: 'satellite:list',
    description: 'list the satellites in order of registration',
    options: PAGE_OPTIONS,
    columns: ['clientId', 'name', 'status', 'scopes', 'createdAt'],
    run: (services, options) =>
      services.page(options, (page) => services.satellites.list(page), presentSatellite),
  },
  {
    name: 'satellite:show',
    description: 'show a satellite',
    options: [CLIENT_ID],
    run: async ({ satellites }, { clientId }) =>
      presentSatellite(await named(satellites.get(String(clientId)))),
  },
  {
    name: 'satellite:register',
    description: 'register a satellite and print its secret, which cannot be read again',
    options: [
      CLIENT_ID,
      { flags: '--name <name>', description: 'name that users see', required: true },
      {
        flags: '--redirect-uri <uri>',
        description: 'address that receives its codes',
        required: true,
        repeatable: true,
        field: 'redirectUris',
      },
      SCOPES,
    ],
    run: async (services, { clientId, name, redirectUri, scope }) => {
      const data = await services.registration({ clientId, name, redirectUris: redirectUri, scopes: scope });
      const { satellite, clientSecret } = await services.satellites.register(null, data);
      const { id, redirectUris, scopes } = satellite;
      return { id, clientId, clientSecret, name: satellite.name, redirectUris, scopes };
    },
  },
  {
    name: 'satellite:set-scopes',
    description: 'replace the scopes of a satellite; without --scope it has none',
    options: [CLIENT_ID, SCOPES],
    run: async (services, options) => {
      const changes = await services.changes({ scopes: options['scope'] ?? [] });
      const clientId = String(options['clientId']);
      const satellite = await named(services.satellites.update(null, clientId, changes));
      return { clientId: satellite.clientId, scopes: satellite.scopes };
    },
  },
  {
    name: 'satellite:rotate-secret',
    description: 'replace the secret of a satellite; the previous one stays valid for 24 hours',
    options: [CLIENT_ID],
    run: ({ satellites }, { clientId }) => named(satellites.rotateSecret(null, String(clientId))),
  },
  {
    name: 'satellite:disable',
    description: 'disable a satellite: its tokens are refused at once',
    options: [CLIENT_ID],
    run: async ({ satellites }, options) => {
      const { clientId } = await named(satellites.disable(null, String(options['clientId'])));
      return { clientId, status: 'disabled' };
    },
  },
  {
    name: 'satellite:enable',
    description: 'enable a disabled satellite',
    options: [CLIENT_ID],
    run: async ({ satellites }, options) => {
      const { clientId } = await named(satellites.enable(null, String(options['clientId'])));
      return { clientId, status: 'active' };
    },
  },
];

function presentSatellite({ id, clientId, name, redirectUris, scopes, createdAt, disabledAt }: Satellite) {
  return { id, clientId, name, status: disabledAt ? 'disabled' : 'active', redirectUris, scopes, createdAt };
}

/** @throws {AppError} a violation that names the option, if the satellite does not exist */
function named<T>(satellite: Promise<T>): Promise<T> {
  return satellite.catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'not-found')) throw error;
    throw AppError.violation('clientId', 'no satellite with this client id');
  });
}
