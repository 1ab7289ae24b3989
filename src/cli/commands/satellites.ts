import { AppError } from '../../platform/errors/index.js';
import type { Client } from '../../client/index.js';
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

/** What a client of OpenID Connect has. One of them, and it has no satellite codes. */
const OPENID: readonly CommandOption[] = [
  {
    flags: '--openid',
    description: 'a client of OpenID Connect, not of satellite codes; so do the following',
  },
  { flags: '--type <type>', description: 'confidential (the default), or public for one without a secret' },
  { flags: '--first-party', description: 'a client of yours: its visitors are not asked for consent' },
  {
    flags: '--grant-type <type>',
    description: 'a grant type; by default authorization_code and refresh_token',
    repeatable: true,
    field: 'grantTypes',
  },
  {
    flags: '--auth-method <method>',
    description:
      'client_secret (the default: by either way), client_secret_basic, client_secret_post or private_key_jwt',
    field: 'tokenEndpointAuthMethod',
  },
  { flags: '--jwks-uri <uri>', description: 'address of its public keys, for private_key_jwt' },
  {
    flags: '--post-logout-redirect-uri <uri>',
    description: 'address to which a logout may return',
    repeatable: true,
    field: 'postLogoutRedirectUris',
  },
  { flags: '--backchannel-logout-uri <uri>', description: 'address that receives logout tokens' },
  { flags: '--id-token-alg <alg>', description: 'RS256 (the default) or ES256' },
  { flags: '--access-token-alg <alg>', description: 'ES256 (the default) or RS256' },
  { flags: '--id-token-claims <claims>', description: 'scopes (the default: name and address), or none' },
  { flags: '--without-pkce', description: 'it need not send a code_challenge; then a nonce' },
  { flags: '--require-par', description: 'it must push its authorization requests' },
  { flags: '--security <profile>', description: 'fapi2 for the FAPI 2.0 Security Profile, with --jwks-uri' },
  { flags: '--require-dpop', description: 'its tokens must be bound to a key' },
  {
    flags: '--organization <id>',
    description: 'organization whose members only can sign in to it',
    field: 'tenantId',
  },
];

export const SATELLITE_COMMANDS: readonly Command[] = [
  {
    name: 'satellite:list',
    description: 'list the satellites in order of registration',
    options: PAGE_OPTIONS,
    columns: ['clientId', 'name', 'status', 'satelliteCodes', 'scopes', 'createdAt'],
    run: (services, options) => services.page(options, (page) => services.clients.list(page), presentClient),
  },
  {
    name: 'satellite:show',
    description: 'show a satellite',
    options: [CLIENT_ID],
    run: async ({ clients }, { clientId }) => presentClient(await named(clients.get(String(clientId)))),
  },
  {
    name: 'satellite:register',
    description:
      'register a satellite, or a client of OpenID Connect, and print its secret, which cannot be read again',
    options: [
      CLIENT_ID,
      { flags: '--name <name>', description: 'name that users see', required: true },
      {
        flags: '--redirect-uri <uri>',
        description: 'address that receives its codes',
        repeatable: true,
        field: 'redirectUris',
      },
      SCOPES,
      ...OPENID,
    ],
    run: async (services, options) => {
      const {
        redirectUri,
        scope,
        grantType,
        authMethod,
        postLogoutRedirectUri,
        openid,
        organization,
        withoutPkce,
        ...others
      } = options;
      const data = await services.check('newClient', {
        ...others,
        ...(openid === true && { satelliteCodes: false }),
        ...(organization !== undefined && { tenantId: organization }),
        ...(withoutPkce === true && { requirePkce: false }),
        redirectUris: redirectUri,
        scopes: scope,
        grantTypes: grantType,
        tokenEndpointAuthMethod: authMethod,
        postLogoutRedirectUris: postLogoutRedirectUri,
      });
      const { client, clientSecret } = await services.clients.register(null, data);
      const { id, clientId, name, satelliteCodes, redirectUris, scopes } = client;
      return { id, clientId, clientSecret, name, satelliteCodes, redirectUris, scopes };
    },
  },
  {
    name: 'satellite:set-scopes',
    description: 'replace the scopes of a satellite; without --scope it has none',
    options: [CLIENT_ID, SCOPES],
    run: async (services, options) => {
      const changes = await services.check('clientChanges', { scopes: options['scope'] ?? [] });
      const clientId = String(options['clientId']);
      const satellite = await named(services.clients.update(null, clientId, changes));
      return { clientId: satellite.clientId, scopes: satellite.scopes };
    },
  },
  {
    name: 'satellite:use-codes',
    description: 'make a client of yours a satellite: it has satellite codes, and no OpenID Connect any more',
    options: [CLIENT_ID],
    run: async (services, options) => {
      const codes = { satelliteCodes: true, firstParty: true, subjectType: 'public' };
      const changes = await services.check('clientChanges', codes);
      const { clientId, satelliteCodes } = await named(
        services.clients.update(null, String(options['clientId']), changes),
      );
      return { clientId, satelliteCodes };
    },
  },
  {
    name: 'satellite:rotate-secret',
    description: 'replace the secret of a satellite; the previous one stays valid for 24 hours',
    options: [CLIENT_ID],
    run: ({ clients }, { clientId }) => named(clients.rotateSecret(null, String(clientId))),
  },
  {
    name: 'satellite:disable',
    description: 'disable a satellite: its tokens are refused at once',
    options: [CLIENT_ID],
    run: async ({ clients }, options) => {
      const { clientId } = await named(clients.disable(null, String(options['clientId'])));
      return { clientId, status: 'disabled' };
    },
  },
  {
    name: 'satellite:enable',
    description: 'enable a disabled satellite',
    options: [CLIENT_ID],
    run: async ({ clients }, options) => {
      const { clientId } = await named(clients.enable(null, String(options['clientId'])));
      return { clientId, status: 'active' };
    },
  },
];

function presentClient(satellite: Client) {
  const { id, clientId, name, satelliteCodes, redirectUris, scopes, createdAt, disabledAt } = satellite;
  const status = disabledAt ? 'disabled' : 'active';
  return { id, clientId, name, status, satelliteCodes, redirectUris, scopes, createdAt };
}

/** @throws {AppError} a violation that names the option, if the satellite does not exist */
function named<T>(satellite: Promise<T>): Promise<T> {
  return satellite.catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'not-found')) throw error;
    throw AppError.violation('clientId', 'no satellite with this client id');
  });
}
