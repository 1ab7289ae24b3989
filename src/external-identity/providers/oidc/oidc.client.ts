import { createPrivateKey } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type { ClientAuth, Configuration } from 'openid-client';
import type { OutboundHttp } from '../../../platform/outbound/index.js';
import type { ConnectionKey } from '../keys/connection-keys.js';
import { claimAt } from '../attributes.js';
import { IdTokenVerifier, type Sender } from '../id-token.verifier.js';
import { SignInError, type CallbackParameters, type ProviderFlow } from '../provider.js';

/** How this service authenticates: by a secret, or a JWT that its own key signs. */
type Credential = { readonly clientSecret: string } | { readonly key: () => Promise<ConnectionKey> };

interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Audiences that an ID token may name besides the client. */
  readonly trustedAudiences?: readonly string[];
  readonly credential: Credential;
}

/** TTL of the discovery document, so that a provider can move its endpoints. */
const DISCOVERY_TTL_MS = 600_000;
/** Time until the next try if discovery fails. The previous document is used until then. */
const RETRY_DISCOVERY_MS = 30_000;
/** Accepted asymmetric algorithms (OIDC-4). */
const ALGORITHMS = ['RS', 'PS', 'ES']
  .flatMap((family) => ['256', '384', '512'].map((bits) => family + bits))
  .concat('EdDSA', 'Ed25519');

/** Claims of the ID token and of userinfo. */
type Claims = JWTPayload & { readonly iss: string; readonly sub: string };

type Library = typeof import('openid-client');
type Fetched = Awaited<ReturnType<OutboundHttp['fetch']>>;

interface Discovery {
  readonly configuration: Configuration;
  /** Of the discovery document, of which the library makes a copy each time. */
  readonly issuer: string;
  readonly idTokens: IdTokenVerifier;
}

/**
 * An OpenID Connect client of one issuer: code flow with PKCE and nonce, ID token verified by the
 * issuer's keys.
 */
export class OidcClient {
  private found: Promise<Discovery> | undefined;
  private expiresAt = -Infinity;
  /** Kept across discoveries with the cached keys, as long as `jwks_uri` is the same. */
  private idTokens: IdTokenVerifier | undefined;

  constructor(
    private readonly http: OutboundHttp,
    private readonly settings: OidcSettings,
  ) {
    library().catch(() => undefined); // load early: Node.js caches a failed import (too many open files) until the next start
  }

  /** @param parameters further parameters of the authorization request */
  async start(
    flow: ProviderFlow,
    scope: string,
    parameters: Readonly<Record<string, string>> = {},
  ): Promise<URL> {
    const { buildAuthorizationUrl } = await library();
    const { configuration } = await this.find();
    return buildAuthorizationUrl(configuration, {
      redirect_uri: flow.redirectUri,
      scope,
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: flow.codeChallenge,
      code_challenge_method: 'S256',
      ...(flow.maxAgeSeconds !== undefined && { max_age: String(flow.maxAgeSeconds) }),
      ...parameters,
    });
  }

  /**
   * Redeems the code and returns the claims. The claims of the scopes come from the ID token or,
   * with most providers, from userinfo (OpenID Connect Core 5.4). Address and `email_verified` are
   * never mixed from both, because one proves the other.
   * @param wanted further claims for which to ask userinfo
   * @throws {SignInError}
   */
  async claims(
    flow: ProviderFlow,
    parameters: CallbackParameters,
    wanted: readonly string[] = [],
  ): Promise<Claims> {
    const address = new URL(flow.redirectUri);
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    const openid = await library();
    try {
      const { configuration, issuer: iss, idTokens } = await this.find();
      const { userinfo_endpoint: userinfo } = configuration.serverMetadata();
      const { access_token: accessToken, id_token: idToken = '' } = await openid.authorizationCodeGrant(
        configuration,
        address,
        {
          pkceCodeVerifier: flow.codeVerifier,
          expectedNonce: flow.nonce,
          expectedState: flow.state,
          idTokenExpected: true,
        },
      );
      const { clientId: audience, trustedAudiences } = this.settings;
      const { nonce, maxAgeSeconds } = flow;
      const expected = { issuers: [iss], audience, trustedAudiences, nonce, accessToken, maxAgeSeconds };
      const proven = await idTokens.verify(idToken, expected);
      const claims: Claims = { ...proven, iss };
      const isComplete = ['email', ...wanted].every((name) => claimAt(claims, name) !== undefined);
      if (isComplete || userinfo === undefined) return claims;
      // Refuses userinfo of another subject (OIDC-6).
      const info = await openid.fetchUserInfo(configuration, accessToken, claims.sub);
      const { email, email_verified } = addressOf(claims, info);
      // How the person signed in is said by the ID token alone.
      const { acr, amr } = claims;
      return { ...info, ...claims, email, email_verified, acr, amr };
    } catch (error) {
      throw toSignInError(error, openid);
    }
  }

  /** @returns null if the provider has none, or its discovery document cannot be read */
  async findEndSessionEndpoint(): Promise<string | null> {
    const found = await this.find().catch(() => null);
    const endpoint = found?.configuration.serverMetadata().end_session_endpoint;
    if (endpoint === undefined || !URL.canParse(endpoint)) return null;
    const { protocol } = new URL(endpoint);
    const isInsecure = protocol === 'http:' && this.settings.issuer.startsWith('http:');
    return protocol === 'https:' || isInsecure ? endpoint : null;
  }

  /**
   * Verifies a token that the issuer sends by itself.
   * @param verify gets the issuer, and the client as the audience
   * @throws {SignInError}
   */
  async verifyBy<T>(verify: (idTokens: IdTokenVerifier, sender: Sender) => Promise<T>): Promise<T> {
    try {
      const { issuer, idTokens } = await this.find();
      return await verify(idTokens, { issuer, audience: this.settings.clientId });
    } catch (error) {
      throw toSignInError(error, await library());
    }
  }

  private async find(): Promise<Discovery> {
    const before = this.found;
    if (before && performance.now() < this.expiresAt) return before;
    this.expiresAt = performance.now() + DISCOVERY_TTL_MS;
    this.found = this.http
      .shared(() => this.discover())
      .catch((error: unknown) => {
        this.found = before;
        if (!before) throw error; // the next flow tries again
        this.expiresAt = performance.now() + RETRY_DISCOVERY_MS;
        return before;
      });
    return this.found;
  }

  private async discover(): Promise<Discovery> {
    const { issuer, clientId, credential } = this.settings;
    const insecure = issuer.startsWith('http:');
    const openid = await library();
    const configuration = await openid.discovery(
      new URL(issuer),
      clientId,
      {},
      'key' in credential ? byKey(credential.key, openid) : byFormOrHeader(credential.clientSecret, openid),
      {
        [openid.customFetch]: async (url, init) =>
          withoutNulls(await this.http.fetch(url, init as object)) as never,
        execute: insecure ? [openid.allowInsecureRequests] : [],
      },
    );
    const {
      issuer: named,
      authorization_endpoint: authorize,
      token_endpoint: token,
      jwks_uri: keys,
    } = configuration.serverMetadata();
    if (authorize === undefined || token === undefined || keys === undefined)
      throw new Error('The discovery document lacks an endpoint or jwks_uri.');
    if (!insecure && !keys.startsWith('https:')) throw new Error("The provider's jwks_uri must use https.");
    if (this.idTokens?.jwksUrl !== keys) this.idTokens = new IdTokenVerifier(this.http, keys, ALGORITHMS);
    return { configuration, issuer: named, idTokens: this.idTokens };
  }
}

/**
 * Returns the address with what is said of it by the same source. Where both name the same address,
 * userinfo may say what the ID token leaves out.
 */
function addressOf(
  idToken: Record<string, unknown>,
  info: Record<string, unknown>,
): { readonly email?: unknown; readonly email_verified?: unknown } {
  if (idToken['email'] === undefined) return info;
  const isSame = idToken['email'] === info['email'];
  const verified = idToken['email_verified'] ?? (isSame ? info['email_verified'] : undefined);
  return { email: idToken['email'], email_verified: verified };
}

/**
 * Leaves null members out of a JSON response: providers that serialize absent parts send them, and
 * the library refuses them (findings/oauth4webapi-null-token-parts.sh).
 */
async function withoutNulls(response: Fetched): Promise<Fetched | Response> {
  const { status, headers } = response;
  if (status !== 200 || !/[/+]json\b/i.test(headers.get('content-type') ?? '')) return response;
  return new Response(leaveNullsOut(await response.text()), { status, headers: Object.fromEntries(headers) });
}

/** Returns a text that is no JSON object as it is: the library tells what is wrong with it. */
function leaveNullsOut(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return text;
    return JSON.stringify(Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== null)));
  } catch {
    return text;
  }
}

/** Loads the library only if a provider needs it. */
const library = (): Promise<Library> => import('openid-client');

/**
 * Authenticates by `client_secret_post` if the provider supports it, else by `client_secret_basic`,
 * the default of a discovery document without a list (OpenID Connect Discovery 3).
 */
function byFormOrHeader(clientSecret: string, { ClientSecretBasic, ClientSecretPost }: Library): ClientAuth {
  const [byForm, byHeader] = [ClientSecretPost(clientSecret), ClientSecretBasic(clientSecret)];
  return (server, ...request) => {
    const knowsForm = server.token_endpoint_auth_methods_supported?.includes('client_secret_post');
    return (knowsForm === true ? byForm : byHeader)(server, ...request);
  };
}

/**
 * Authenticates by a JWT (RFC 7523 section 2.2), signed by RS256. Takes the key for each request:
 * the client is kept longer than a rollover of the key may take.
 */
function byKey(getKey: () => Promise<ConnectionKey>, { PrivateKeyJwt }: Library): ClientAuth {
  const authenticate = async (...request: Parameters<ClientAuth>): Promise<void> => {
    const { kid, privateKey } = await getKey();
    const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
    const key = createPrivateKey(privateKey).toCryptoKey(algorithm, false, ['sign']);
    // Its type declaration knows fewer usages of the key, and not that it is asynchronous.
    const byJwt = PrivateKeyJwt({ kid, key: key as never }) as (...of: typeof request) => Promise<void>;
    await byJwt(...request);
  };
  return authenticate as ClientAuth; // the library awaits it
}

function toSignInError(
  error: unknown,
  { AuthorizationResponseError, ResponseBodyError }: Library,
): SignInError {
  if (error instanceof SignInError) return error;
  if (error instanceof AuthorizationResponseError && error.error === 'access_denied')
    return new SignInError('access_denied', error);
  const refusedByProvider = error instanceof ResponseBodyError && error.status < 500;
  return new SignInError(
    !refusedByProvider && isNetworkTrouble(error) ? 'provider_unavailable' : 'invalid_response',
    error,
  );
}

/** Tells whether the provider failed to respond, or responded with 5xx (then it is the cause). */
function isNetworkTrouble(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, name, message, status, cause } = error as Error & { code?: string; status?: number };
  if (name === 'TimeoutError' || name === 'AbortError' || (status ?? 0) >= 500) return true;
  if (code === 'OAUTH_TIMEOUT' || (name === 'TypeError' && message === 'fetch failed')) return true;
  return isNetworkTrouble(cause);
}
