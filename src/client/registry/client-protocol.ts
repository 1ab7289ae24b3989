import { AppError, type Violation } from '../../platform/errors/index.js';
import { hasSecret } from './client-traits.js';
import type { Client, ClientTraits } from './client.repository.js';

/** Properties of OpenID Connect: a registration that sets one of them is for that protocol. */
const OPENID_PROPERTIES = [
  'type',
  'firstParty',
  'grantTypes',
  'tokenEndpointAuthMethod',
  'subjectType',
  'jwks',
  'jwksUri',
  'postLogoutRedirectUris',
  'backchannelLogoutUri',
  'requirePar',
  'requireDpop',
  'idTokenAlg',
  'accessTokenAlg',
  'requirePkce',
  'security',
  'idTokenClaims',
  'assertionAudiences',
  'tenantId',
] as const;

/** Of a satellite, and the default of other clients. */
export const DEFAULT_GRANT_TYPES = ['authorization_code', 'refresh_token'] as const;

/** What decides on the protocol of a client. Omitted properties have their default. */
interface Registration
  extends
    Pick<ClientTraits, 'satelliteCodes' | 'firstParty' | 'subjectType' | 'type' | 'tokenEndpointAuthMethod'>,
    Partial<Pick<ClientTraits, 'grantTypes' | 'requirePar' | 'requireDpop' | 'accessTokenAlg'>> {
  readonly tenantId: string | null;
}

/** Returns whether a registration that does not say so is for satellite codes. */
export const isPlainSatellite = (data: {
  readonly [K in (typeof OPENID_PROPERTIES)[number]]?: unknown;
}): boolean => OPENID_PROPERTIES.every((property) => data[property] === undefined);

/** Returns whether satellite codes serve a client. */
export const hasSatelliteCodes = (client: Registration): boolean =>
  client.satelliteCodes && listFaults(client).length === 0;

/**
 * Requires that a client with satellite codes has no property that their exchange does not keep to.
 * @throws {AppError} validation-error on each
 */
export function requireOneProtocol(client: Registration): void {
  const violations = client.satelliteCodes ? listFaults(client) : [];
  if (violations.length > 0) throw new AppError('validation-error', { violations });
}

/**
 * Lists the properties that satellite codes do not keep to: they give the id of the account without
 * a consent, for a secret and a request of the browser.
 */
function listFaults(client: Registration): Violation[] {
  const grantTypes: readonly string[] = client.grantTypes ?? DEFAULT_GRANT_TYPES;
  const rules: readonly (readonly [string, boolean, string])[] = [
    ['firstParty', client.firstParty, 'must be true: people are not asked for their consent'],
    ['subjectType', client.subjectType === 'public', 'must be public: people are named by their account'],
    ['type', client.type === 'confidential', 'must be confidential: the exchange needs the secret'],
    ['tokenEndpointAuthMethod', hasSecret(client.tokenEndpointAuthMethod), 'must be by a secret'],
    ['requirePar', !client.requirePar, 'must be false: there are no pushed requests'],
    ['requireDpop', !client.requireDpop, 'must be false: tokens are not bound to a key'],
    ['accessTokenAlg', client.accessTokenAlg !== 'RS256', 'must be ES256: tokens have no other signature'],
    ['tenantId', client.tenantId === null, 'must be omitted: people of any organization sign in'],
    [
      'grantTypes',
      grantTypes.length === DEFAULT_GRANT_TYPES.length &&
        DEFAULT_GRANT_TYPES.every((type) => grantTypes.includes(type)),
      'must be authorization_code and refresh_token',
    ],
  ];
  return rules.flatMap(([propertyPath, isKept, what]) =>
    isKept ? [] : [{ propertyPath, message: `${what}. Or set satelliteCodes to false.` }],
  );
}

/**
 * What a client by SAML has: neither a credential nor a grant, so that the endpoints of OAuth
 * refuse it.
 */
export const SAML_TRAITS = {
  type: 'confidential',
  tokenEndpointAuthMethod: 'private_key_jwt',
  grantTypes: [] as never[],
  idTokenAlg: 'ES256',
  satelliteCodes: false,
} as const;

/** What the registry sets of a client by SAML; the rest is in its settings of SAML. */
const OF_ANY_PROTOCOL: readonly string[] = ['name', 'firstParty', 'subjectType', 'logoUri'];

/**
 * Requires that changes of a client by SAML are of what clients of any protocol have.
 * @throws {AppError} validation-error on each other one
 */
export function requireOfAnyProtocol({ protocol }: Pick<Client, 'protocol'>, changes: object): void {
  if (protocol === 'openid') return;
  const others = Object.keys(changes).filter((name) => !OF_ANY_PROTOCOL.includes(name));
  const message = 'is of OpenID Connect, and the client speaks SAML';
  const violations = others.map((propertyPath): Violation => ({ propertyPath, message }));
  if (violations.length > 0) throw new AppError('validation-error', { violations });
}
