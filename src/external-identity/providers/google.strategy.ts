import { Strategy, type Profile, type StrategyOptions } from 'passport-google-oauth20';
import type { OutboundHttp } from '../../platform/outbound/index.js';
import { jsonOf, requireToken } from './provider-http.js';

/** What changes from flow to flow; given with each request. */
export interface GoogleFlowOptions {
  readonly callbackURL: string;
  readonly state: string;
  readonly codeVerifier: string;
  readonly codeChallenge: string;
}

type Done = (error: unknown, body?: string) => void;

/**
 * The strategy with its two gaps closed. Its PKCE needs a session to keep a verifier of its own in: ours comes with the flow. And its HTTP client
 * has no limit of time or size, and puts access tokens into addresses: ours goes in its place. State is none of its business (security bar
 * EXT-8): it is verified before anybody asks it.
 */
export class GoogleStrategy extends Strategy {
  constructor(
    private readonly http: OutboundHttp,
    options: StrategyOptions,
  ) {
    super(options, (_accessToken, _refreshToken, profile: Profile, done) => done(null, profile));
    Object.assign(this._oauth2, {
      _request: (method: string, url: string, headers: object, body: string, token: unknown, done: Done) =>
        void this.request(method, url, { ...headers }, body, token)
          .then((text) => done(null, text))
          .catch(done),
    });
  }

  override authorizationParams(options: GoogleFlowOptions): object {
    return {
      ...super.authorizationParams(options),
      code_challenge: options.codeChallenge,
      code_challenge_method: 'S256',
    };
  }

  override tokenParams(options: GoogleFlowOptions): object {
    return { ...super.tokenParams(options), code_verifier: options.codeVerifier };
  }

  /** Always an object in JSON: the strategy trips over anything else where nobody can catch it. */
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
