import type { Request } from 'express';
import type { Strategy } from 'passport';
import { SignInError } from './provider.js';

/** What a strategy looks at in a request. */
interface StrategyRequest {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, string>>;
}

/** What a strategy decides: that somebody has to go elsewhere first, or who they are. */
type Verdict<User> =
  { readonly location: string; readonly user?: never } | { readonly location?: never; readonly user: User };

/** A strategy's plain no, with what it said. */
class StrategyRefusal extends Error {
  constructor(readonly info: unknown) {
    super('The strategy refused.');
  }
}

/**
 * Asks any passport strategy about one request. Passport itself is a registry that all of a process shares, and a middleware that answers the
 * browser: here nothing is registered, the strategy sees no more than it is given, and the answer stays ours. As passport does, each request
 * has an object of its own before the strategy, so that one strategy serves many at once.
 * @throws {SignInError} one that our HTTP client has met inside; invalid_response for any other error, and for the strategy's plain no
 */
export async function askStrategy<User>(
  strategy: Strategy,
  request: StrategyRequest,
  options: object = {},
): Promise<Verdict<User>> {
  try {
    return await new Promise((resolve, reject) => {
      const attempt = Object.assign(Object.create(strategy) as Strategy, {
        success: (user: User) => resolve({ user }),
        redirect: (location: string) => resolve({ location }),
        fail: (info: unknown) => reject(new StrategyRefusal(info)),
        error: reject,
        pass: () => reject(new StrategyRefusal(undefined)),
      });
      strategy.authenticate.call(attempt as never, request as Request, options);
    });
  } catch (error) {
    throw toSignInError(error);
  }
}

/** Strategies wrap what they are told; those of OAuth 2.0 like this. */
function toSignInError(error: unknown): SignInError {
  const { oauthError = error } = (error ?? {}) as { oauthError?: unknown };
  return oauthError instanceof SignInError ? oauthError : new SignInError('invalid_response', error);
}
