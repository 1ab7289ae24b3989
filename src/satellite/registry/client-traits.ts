export const CLIENT_TYPES = ['confidential', 'public'] as const;
export type ClientType = (typeof CLIENT_TYPES)[number];

export const CLIENT_GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const;
export type ClientGrantType = (typeof CLIENT_GRANT_TYPES)[number];

/** Authentication at the token endpoint (OpenID Connect Core section 9); `none` if public. */
export const CLIENT_AUTH_METHODS = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'none',
] as const;
export type ClientAuthMethod = (typeof CLIENT_AUTH_METHODS)[number];

/** Public keys of a client (RFC 7517 section 5). */
export interface ClientJwks {
  readonly keys: readonly object[];
}

/** Returns whether a client authenticates by a secret of ours. */
export const hasSecret = (method: ClientAuthMethod): boolean => method.startsWith('client_secret_');

export const ID_TOKEN_ALGS = ['RS256', 'ES256'] as const;
export type IdTokenAlg = (typeof ID_TOKEN_ALGS)[number];

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
