import type { OutboundHttp } from '../../platform/outbound/index.js';
import { jsonOf } from './provider-http.js';
import { SignInError, type CallbackParameters, type ProviderFlow } from './provider.js';

/** Credentials of this service at the provider. */
interface OAuthClient {
  readonly id: string;
  readonly secret: string;
}

/**
 * Builds the authorization request (RFC 6749 section 4.1.1), with PKCE.
 * @param parameters further parameters of this provider
 */
export function authorizationRequest(
  endpoint: string,
  clientId: string,
  flow: ProviderFlow,
  parameters: Readonly<Record<string, string>>,
): URL {
  const url = new URL(endpoint);
  url.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: flow.redirectUri,
    response_type: 'code',
    state: flow.state,
    code_challenge: flow.codeChallenge,
    code_challenge_method: 'S256',
    ...parameters,
  }).toString();
  return url;
}

/**
 * Returns the code of an authorization response. Refuses a response that names another issuer (RFC
 * 9207); most providers name none.
 * @param issuers accepted issuers
 * @throws {SignInError} invalid_response
 */
export function codeFrom({ code, iss }: CallbackParameters, issuers: readonly string[]): string {
  if (!code || (iss !== undefined && !issuers.includes(iss))) throw new SignInError('invalid_response');
  return code;
}

/**
 * Redeems a code at the token endpoint (RFC 6749 section 4.1.3).
 * @throws {SignInError} as {@link jsonOf}
 */
export function redeemCode(
  http: OutboundHttp,
  endpoint: string,
  { id, secret }: OAuthClient,
  flow: ProviderFlow,
  code: string,
): Promise<Readonly<Record<string, unknown>>> {
  return jsonOf(http, new URL(endpoint), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: id,
      client_secret: secret,
      redirect_uri: flow.redirectUri,
      code,
      code_verifier: flow.codeVerifier,
    }),
  });
}
