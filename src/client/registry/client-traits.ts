export const CLIENT_TYPES = ['confidential', 'public'] as const;
export type ClientType = (typeof CLIENT_TYPES)[number];

export const CLIENT_PROTOCOLS = ['openid', 'saml'] as const;
export type ClientProtocol = (typeof CLIENT_PROTOCOLS)[number];

export const CLIENT_GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
] as const;
export type ClientGrantType = (typeof CLIENT_GRANT_TYPES)[number];

/** How a request authenticates its client (OpenID Connect Core section 9); `none` if public. */
export const REQUEST_AUTH_METHODS = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'none',
] as const;
export type RequestAuthMethod = (typeof REQUEST_AUTH_METHODS)[number];

/** How a client is registered to authenticate; `client_secret` accepts its secret by either way. */
export const CLIENT_AUTH_METHODS = ['client_secret', ...REQUEST_AUTH_METHODS] as const;
export type ClientAuthMethod = (typeof CLIENT_AUTH_METHODS)[number];

/** How people are named to the client (OpenID Connect Core section 8). */
export const SUBJECT_TYPES = ['public', 'pairwise'] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Returns whose clients share the identifiers of people: those of one host. A client of several
 * hosts, or of a device, shares them with none.
 */
export function sectorOf({
  sector,
  clientId,
  redirectUris,
}: {
  readonly sector: string | null;
  readonly clientId: string;
  readonly redirectUris: readonly string[];
}): string {
  const [host = '', ...others] = new Set(redirectUris.map((uri) => new URL(uri).hostname));
  const isShared = others.length === 0 && host !== '' && !LOOPBACK_HOSTS.includes(host);
  return sector ?? (isShared ? host : `client:${clientId}`);
}

/** Public keys of a client (RFC 7517 section 5). */
export interface ClientJwks {
  readonly keys: readonly object[];
}

/** An authorization server for which a client gets identity assertions (ID-JAG). */
export interface AssertionAudience {
  /** Its issuer. */
  readonly audience: string;
  /** The client, as it is registered there. */
  readonly clientId: string;
  /** APIs of the server that assertions may name. */
  readonly resources: readonly string[];
  /** Scopes that assertions may have. */
  readonly scopes: readonly string[];
  /** Client of the organization by which people sign in there; left out for the client itself. */
  readonly relyingParty?: string;
}

/** Returns whether a client authenticates by a secret of ours. */
export const hasSecret = (method: ClientAuthMethod): boolean => method.startsWith('client_secret');

/** Returns whether a client that is registered for one method may authenticate by the other. */
export const acceptsMethod = (registered: ClientAuthMethod, used: RequestAuthMethod): boolean =>
  registered === used || (registered === 'client_secret' && hasSecret(used));

/** `fapi2` by the FAPI 2.0 Security Profile; `standard` by what the registration says. */
export const CLIENT_SECURITIES = ['standard', 'fapi2'] as const;
export type ClientSecurity = (typeof CLIENT_SECURITIES)[number];

export const ID_TOKEN_ALGS = ['RS256', 'ES256'] as const;
export type IdTokenAlg = (typeof ID_TOKEN_ALGS)[number];

export const ACCESS_TOKEN_ALGS = ['ES256', 'RS256'] as const;
export type AccessTokenAlg = (typeof ACCESS_TOKEN_ALGS)[number];

/** Claims about the person in ID tokens: those of the scopes, or none but `sub`. */
export const ID_TOKEN_CLAIMS = ['scopes', 'none'] as const;
export type IdTokenClaims = (typeof ID_TOKEN_CLAIMS)[number];

export const LOGOUT_REACHES = ['immediate', 'next-refresh', 'own-session'] as const;
export type LogoutReach = (typeof LOGOUT_REACHES)[number];

/**
 * Returns how the end of a session reaches the client: by a logout token within a second; at its
 * next refresh, which is refused; or when its own session ends, because it never asks again.
 */
export function logoutReachOf(client: {
  readonly backchannelLogoutUri: string | null;
  readonly grantTypes: readonly ClientGrantType[];
}): LogoutReach {
  if (client.backchannelLogoutUri !== null) return 'immediate';
  return client.grantTypes.includes('refresh_token') ? 'next-refresh' : 'own-session';
}
