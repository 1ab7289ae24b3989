import type OAuth2Strategy from 'passport-oauth2';
import type { Type } from '@nestjs/common';
import type { OutboundHttp } from '../../platform/outbound/index.js';
import { codeFrom } from './code-flow.js';
import { jsonOf, requireToken } from './provider-http.js';
import { SignInError, type FlowStep, type ProvenProfile } from './provider.js';
import type { Attempt } from './strategy-executor.js';
import { Unregistered } from './flow-strategy.js';

type HttpDone = (error: unknown, body?: string) => void;
type VerifyDone = (error: unknown, profile?: ProvenProfile | null) => void;
type Verify<Profile> = (
  accessToken: string,
  refreshToken: string,
  profile: Profile,
  done: VerifyDone,
) => void;

/** Options of a strategy that is not configured. The registry never returns such a strategy. */
const NOT_CONFIGURED: OAuth2Strategy.StrategyOptions = {
  authorizationURL: 'https://not-configured.invalid',
  tokenURL: 'https://not-configured.invalid',
  clientID: 'not configured',
  clientSecret: '',
};

/** Wraps errors of `validate`. Errors of the library are about the provider's responses. */
class ValidateError extends Error {}

/** Strategy that {@link OAuth2CodeFlow} returns a class of. */
export declare class CodeFlowStrategy extends OAuth2Strategy {
  readonly configured: boolean;
  override authenticate(this: CodeFlowStrategy & Attempt, _: unknown, step: FlowStep): void;
  override authorizationParams(flow: FlowStep['flow']): object;
  override tokenParams(flow: FlowStep['flow']): object;
}

/**
 * Base class for `PassportStrategy` of @nestjs/passport: a strategy of the passport-oauth2 family,
 * adapted to the flows of this service. PKCE (RFC 7636) comes with the flow: the family's own needs
 * an HTTP session for the verifier. HTTP goes through {@link OutboundHttp}, with its limits of time
 * and size, and with access tokens in headers only. `state` is verified before the strategy runs
 * (EXT-8).
 * @param Base the strategy class
 */
export function OAuth2CodeFlow<Options, Profile>(
  Base: new (options: Options, verify: never) => OAuth2Strategy,
): new (http: OutboundHttp, options: Options | null, verify: Verify<Profile>) => CodeFlowStrategy {
  return class extends Unregistered(Base as unknown as Type<OAuth2Strategy>) {
    readonly configured: boolean;
    /** Accepted `iss` of a callback (RFC 9207): the origin of the authorization endpoint. */
    private readonly origin: string;

    /**
     * @param options options of the library's strategy; null if the provider is not configured
     * @param verify calls `validate`; `PassportStrategy` passes it
     */
    constructor(http: OutboundHttp, options: Options | null, verify: Verify<Profile>) {
      const verifyApart: Verify<Profile> = (accessToken, refreshToken, profile, done) =>
        verify(accessToken, refreshToken, profile, (error, user) =>
          done(error === null ? null : new ValidateError('', { cause: error }), user),
        );
      super(options ?? NOT_CONFIGURED, verifyApart);
      this.configured = options !== null;
      const client = this._oauth2 as unknown as { readonly _authorizeUrl: string };
      this.origin = new URL(client._authorizeUrl).origin;
      Object.assign(client, {
        _request: (
          method: string,
          url: string,
          headers: Record<string, string>,
          body: string,
          token: unknown,
          done: HttpDone,
        ) =>
          requestJson(http, method, url, { ...headers }, body, token)
            .then((text) => done(null, text))
            .catch(done),
      });
    }

    override authenticate(this: this & Attempt, _: unknown, { flow, callback }: FlowStep): void {
      const { error } = this;
      this.error = (cause) => error(cause instanceof ValidateError ? cause.cause : toSignInError(cause));
      const query = callback ? { code: codeFrom(callback, [this.origin]) } : {};
      super.authenticate({ query } as never, { ...flow, callbackURL: flow.redirectUri });
    }

    override authorizationParams(flow: FlowStep['flow']): object {
      const pkce = { code_challenge: flow.codeChallenge, code_challenge_method: 'S256' };
      return { ...super.authorizationParams(flow), ...pkce };
    }

    override tokenParams(flow: FlowStep['flow']): object {
      return { ...super.tokenParams(flow), code_verifier: flow.codeVerifier };
    }
  };
}

/**
 * @returns always the text of a JSON object: strategies of the family throw on anything else where
 * nothing catches it
 */
async function requestJson(
  http: OutboundHttp,
  method: string,
  url: string,
  headers: Record<string, string>,
  body: string,
  token: unknown,
): Promise<string> {
  const init =
    method === 'POST'
      ? { method, headers, body }
      : { method, headers: { authorization: `Bearer ${requireToken(token)}` } };
  return JSON.stringify(await jsonOf(http, new URL(url), init));
}

/**
 * Maps errors of the library. It wraps errors of HTTP as `oauthError`; its other errors are about
 * an invalid response.
 */
function toSignInError(error: unknown): SignInError {
  const { oauthError = error } = (error ?? {}) as { oauthError?: unknown };
  return oauthError instanceof SignInError ? oauthError : new SignInError('invalid_response', error);
}
