import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError,
  AuthorizationResponseError,
  type ClientAuth,
  type Configuration,
  type IDToken,
} from 'openid-client';
import type { OutboundHttp } from '../../platform/outbound/index.js';
import { requireSubject } from './provider-http.js';
import { SignInError, type CallbackParameters, type ProviderFlow } from './provider.js';

interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What discovery said is asked for again after this time, so that a provider may move its endpoints. */
const DISCOVERY_MS = 600_000;
/** An ID token is minutes old at most when it arrives by a flow that lasts ten (security bar OIDC-5). */
const OLDEST_TOKEN_SECONDS = 600;

/** An OpenID Connect client of one issuer: code flow with PKCE and nonce, ID token verified by the issuer's keys. */
export class OidcClient {
  private found: Promise<Configuration> | undefined;
  private foundAt = 0;

  constructor(
    private readonly http: OutboundHttp,
    private readonly settings: OidcSettings,
  ) {
    http.trust(settings.issuer);
  }

  async start(flow: ProviderFlow, scope: string): Promise<URL> {
    return buildAuthorizationUrl(await this.configuration(), {
      redirect_uri: flow.redirectUri,
      scope,
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: flow.codeChallenge,
      code_challenge_method: 'S256',
    });
  }

  /**
   * What is claimed of who has signed in. The ID token proves who it is; the claims of the scope stand in it or, as most providers have it,
   * in userinfo (OpenID Connect Core 5.4), never partly here and there: an address is proven by what is said beside it.
   * @throws {SignInError}
   */
  async claims(flow: ProviderFlow, parameters: CallbackParameters): Promise<IDToken> {
    const address = new URL(flow.redirectUri);
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    try {
      const configuration = await this.configuration();
      const tokens = await authorizationCodeGrant(configuration, address, {
        pkceCodeVerifier: flow.codeVerifier,
        expectedNonce: flow.nonce,
        expectedState: flow.state,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('There is no ID token.');
      this.check(claims);
      const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
      if (claims.email !== undefined || !hasMore) return claims;
      // Of the same subject, or refused (OIDC-6)
      const info = await fetchUserInfo(configuration, tokens.access_token, claims.sub);
      const { email, email_verified, given_name = claims['given_name'] } = info;
      return { ...claims, email, email_verified, given_name };
    } catch (error) {
      throw toSignInError(error);
    }
  }

  /** What the library leaves to us. */
  private check({ iat, sub, aud, azp }: IDToken): void {
    if (iat < Date.now() / 1000 - OLDEST_TOKEN_SECONDS) throw new Error('The ID token is too old.');
    requireSubject(sub);
    if (Array.isArray(aud) && aud.length > 1) throw new Error('The ID token is for others as well.');
    if (azp !== undefined && azp !== this.settings.clientId)
      throw new Error('The ID token was made for another client.');
  }

  private async configuration(): Promise<Configuration> {
    if (!this.found || Date.now() - this.foundAt > DISCOVERY_MS) {
      this.foundAt = Date.now();
      this.found = this.discover();
      this.found.catch(() => (this.found = undefined)); // the next flow asks again
    }
    return this.found;
  }

  private async discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    const insecure = issuer.startsWith('http:');
    const configuration = await discovery(new URL(issuer), clientId, {}, byFormOrHeader(clientSecret), {
      [customFetch]: (url, init) => this.http.fetch(url, init as object) as never,
      execute: [enableNonRepudiationChecks, ...(insecure ? [allowInsecureRequests] : [])],
    });
    const { authorization_endpoint: authorize, token_endpoint: token } = configuration.serverMetadata();
    if (authorize === undefined || token === undefined)
      throw new Error('The provider announces no endpoints.');
    return configuration;
  }
}

/** By form, or by header where the provider knows no form, which is what it says by saying nothing (OpenID Connect Discovery 3). */
function byFormOrHeader(clientSecret: string): ClientAuth {
  const [byForm, byHeader] = [ClientSecretPost(clientSecret), ClientSecretBasic(clientSecret)];
  return (server, ...request) => {
    const knowsForm = server.token_endpoint_auth_methods_supported?.includes('client_secret_post');
    return (knowsForm === true ? byForm : byHeader)(server, ...request);
  };
}

function toSignInError(error: unknown): SignInError {
  if (error instanceof SignInError) return error;
  if (error instanceof AuthorizationResponseError && error.error === 'access_denied')
    return new SignInError('access_denied', error);
  const refusedByProvider = error instanceof ResponseBodyError && error.status < 500;
  return new SignInError(
    !refusedByProvider && isNetworkTrouble(error) ? 'provider_unavailable' : 'invalid_response',
    error,
  );
}

/** No answer, or one that says that the provider is in trouble; the library gives the answer itself as the cause. */
function isNetworkTrouble(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, name, message, status, cause } = error as Error & { code?: string; status?: number };
  if (name === 'TimeoutError' || name === 'AbortError' || (status ?? 0) >= 500) return true;
  if (code === 'OAUTH_TIMEOUT' || (name === 'TypeError' && message === 'fetch failed')) return true;
  return isNetworkTrouble(cause);
}
