import type { Request } from 'express';
import {
  SignInError,
  type CallbackParameters,
  type FlowStep,
  type ProviderFlow,
  type ProvenProfile,
  type SignInStrategy,
} from './provider.js';

/** Methods that passport adds to a strategy for one request, to report the outcome. */
export interface Attempt {
  success(this: void, profile: ProvenProfile): void;
  redirect(this: void, location: string): void;
  fail(this: void, info?: unknown): void;
  error(this: void, error: unknown): void;
  pass(this: void): void;
}

/** Refusal of a strategy without an error, as by `fail()`. */
class StrategyRefusal extends Error {
  constructor(readonly info?: unknown) {
    super('The strategy refused.');
  }
}

/**
 * Runs the first step of a strategy.
 * @returns the address at the provider that the browser is sent to
 * @throws what the strategy reports; {@link SignInError} invalid_response if it does not redirect
 */
export async function startFlow(strategy: SignInStrategy, flow: ProviderFlow): Promise<URL> {
  const result = await run(strategy, { flow });
  if (result instanceof URL) return result;
  throw new SignInError('invalid_response', new StrategyRefusal());
}

/**
 * Runs the second step of a strategy, with the parameters of the callback.
 * @returns the proven profile, or an address if the person must authenticate again at the provider
 * @throws what the strategy reports; {@link SignInError} invalid_response if it refuses
 */
export function completeFlow(
  strategy: SignInStrategy,
  flow: ProviderFlow,
  callback: CallbackParameters,
): Promise<ProvenProfile | URL> {
  return run(strategy, { flow, callback });
}

/**
 * Runs a strategy as passport's middleware does: on an object whose prototype is the strategy, so
 * that concurrent requests share no state. Unlike that middleware it uses no registry, passes only
 * the parameters of the callback to the strategy, and leaves the response to the caller.
 */
function run(strategy: SignInStrategy, step: FlowStep): Promise<ProvenProfile | URL> {
  return new Promise((resolve, reject) => {
    const refuse = (info?: unknown) => reject(new SignInError('invalid_response', new StrategyRefusal(info)));
    const outcomes: Attempt = {
      success: resolve,
      redirect: (location) => resolve(new URL(location)),
      fail: refuse,
      error: reject,
      pass: refuse,
    };
    const attempt = Object.assign(Object.create(strategy) as SignInStrategy, outcomes);
    const request = { query: step.callback ?? {} } as Partial<Request> as Request;
    attempt.authenticate(request, step);
  });
}
