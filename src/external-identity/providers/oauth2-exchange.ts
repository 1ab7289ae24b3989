import type OAuth2Strategy from 'passport-oauth2';
import type { OutboundHttp } from '../../platform/outbound/index.js';
import { codeFrom } from './code-flow.js';
import { askStrategy } from './passport-strategy.js';
import { jsonOf, requireToken } from './provider-http.js';
import { SignInError, type CallbackParameters, type ProviderFlow } from './provider.js';

/** What changes from flow to flow; given to the strategy with each request. */
interface FlowOptions {
  readonly callbackURL: string;
  readonly state: string;
  readonly codeVerifier: string;
  readonly codeChallenge: string;
}

type Done = (error: unknown, body?: string) => void;

/**
 * Signs in by a strategy of the family of passport-oauth2, with the gaps of all of them closed. Their PKCE needs a session to keep a verifier of
 * its own in: ours comes with the flow. Their HTTP client has no limit of time or size, and puts access tokens into addresses: ours goes in its
 * place. State is none of their business (security bar EXT-8): it is verified before anybody asks them.
 */
export class OAuth2Exchange<User> {
  /** What an answer may name as its issuer (RFC 9207): the provider that people are sent to. */
  private readonly issuer: string;

  /** @param strategy made for this exchange; its verify callback says what {@link complete} answers */
  constructor(
    private readonly http: OutboundHttp,
    private readonly strategy: OAuth2Strategy,
  ) {
    const { authorizationParams, tokenParams } = strategy;
    strategy.authorizationParams = (options: FlowOptions) => ({
      ...authorizationParams.call(strategy, options),
      code_challenge: options.codeChallenge,
      code_challenge_method: 'S256',
    });
    strategy.tokenParams = (options: FlowOptions) => ({
      ...tokenParams.call(strategy, options),
      code_verifier: options.codeVerifier,
    });
    const { _oauth2: client } = strategy as unknown as {
      readonly _oauth2: { readonly _authorizeUrl: string };
    };
    this.issuer = new URL(client._authorizeUrl).origin;
    Object.assign(client, {
      _request: (method: string, url: string, headers: object, body: string, token: unknown, done: Done) =>
        void this.request(method, url, { ...headers }, body, token)
          .then((text) => done(null, text))
          .catch(done),
    });
  }

  /** Where the browser has to go. */
  async start(flow: ProviderFlow): Promise<URL> {
    const { location } = await askStrategy(this.strategy, { query: {} }, optionsOf(flow));
    return new URL(location ?? '');
  }

  /**
   * Whom the strategy has found.
   * @throws {SignInError}
   */
  async complete(flow: ProviderFlow, parameters: CallbackParameters): Promise<User> {
    const code = codeFrom(parameters, [this.issuer]);
    const { user } = await askStrategy<User>(this.strategy, { query: { code } }, optionsOf(flow));
    if (user === undefined) throw new SignInError('invalid_response');
    return user;
  }

  /** Always an object in JSON: strategies trip over anything else where nobody can catch it. */
  private async request(
    method: string,
    url: string,
    headers: Record<string, string>,
    body: string,
    token: unknown,
  ): Promise<string> {
    const json = await jsonOf(
      this.http,
      new URL(url),
      method === 'POST'
        ? { method, headers, body }
        : { method, headers: { authorization: `Bearer ${requireToken(token)}` } },
    );
    return JSON.stringify(json);
  }
}

function optionsOf({ redirectUri, state, codeVerifier, codeChallenge }: ProviderFlow): FlowOptions {
  return { callbackURL: redirectUri, state, codeVerifier, codeChallenge };
}
