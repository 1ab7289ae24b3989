import type { components, paths } from './generated/openapi.js';
import { readRateLimit, type RateLimit } from './rate-limit.js';
import type { SecondFactorNeeded } from './second-factor.js';
import type { StepUpNeeded } from './step-up.js';

/** Error codes of the service; the last segment of a problem's `type`. */
export type ProblemCode = paths['/errors/{code}']['get']['parameters']['path']['code'];
/** Code of a denied permission check. */
export type DenialCode = NonNullable<components['schemas']['VerdictResponse']['code']>;
/** A field that is not valid. */
export type Violation = components['schemas']['Violation'];

type Problem = components['schemas']['Problem'] & { readonly violations?: readonly Violation[] };

const TYPE = '/errors/';

/**
 * The service refused the request, by problem details (RFC 9457). Handle `code`; show `message`.
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly status: number;
  readonly title: string;
  /** The invalid fields, if the code is `validation-error`. */
  readonly violations: readonly Violation[];
  /** Why the permission was denied, as the permission check says; null for other problems. */
  readonly denial: DenialCode | null;
  /** The required confirmation, if the code is `insufficient-user-authentication`. */
  readonly stepUp: StepUpNeeded | null;
  /** What the sign-in still needs, if the code is `second-factor-required`. */
  readonly secondFactor: SecondFactorNeeded | null;
  /**
   * Of a refused passkey: false if the service does not know it; tell the browser by
   * `signalUnknownCredential`.
   */
  readonly credentialKnown: boolean | null;
  /** Id of the request in the service's log; quote it in a report. */
  readonly requestId: string;
  /** Seconds after which to try again; null if the service does not say. */
  readonly retryAfterSeconds: number | null;
  readonly rateLimit: RateLimit | null;

  private constructor(problem: Problem, headers: Headers) {
    super(problem.detail);
    this.code = problem.type.slice(TYPE.length) as ProblemCode;
    this.status = problem.status;
    this.title = problem.title;
    this.violations = problem.violations ?? [];
    this.denial = (problem.code ?? null) as DenialCode | null;
    const { acr = 'aal1', maxAge = null, methods = [], enrol = false, missing = [], challenge } = problem;
    const isStepUp = this.code === 'insufficient-user-authentication';
    this.stepUp = isStepUp ? { acr, maxAge, methods, enrol, ownProof: missing.includes('own_proof') } : null;
    this.secondFactor = challenge === undefined ? null : { challenge, methods };
    this.credentialKnown = problem.credentialKnown ?? null;
    this.requestId = problem.instance.slice('urn:request:'.length);
    this.retryAfterSeconds = readRetryAfter(headers);
    this.rateLimit = readRateLimit(headers);
  }

  /**
   * Creates the error for a response outside 2xx.
   * @returns an UnreachableError if the response is not the service's, for instance a proxy's
   */
  static async fromResponse(response: Response): Promise<ProblemError | UnreachableError> {
    const { headers, status } = response;
    const isProblem = headers.get('content-type')?.startsWith('application/problem+json') === true;
    const problem = isProblem ? ((await response.json()) as Partial<Problem>) : {};
    if (problem.type?.startsWith(TYPE) === true) return new ProblemError(problem as Problem, headers);
    return new UnreachableError(`answered ${status}`, { retryAfterSeconds: readRetryAfter(headers) });
  }
}

/**
 * No response, or not the service's: a network failure, or the page of a proxy. Says nothing about
 * whether the user is signed in.
 */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  readonly retryAfterSeconds: number | null;

  constructor(
    what: string,
    { cause, retryAfterSeconds = null }: { cause?: unknown; retryAfterSeconds?: number | null },
  ) {
    super(`Gatehouse cannot be reached: ${what}`, { cause });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * The user is not signed in, or no longer: after a logout on any device, a changed password, expiry
 * of the session, or reuse of a stolen refresh token. The service does not say which.
 */
export class SignedOutError extends Error {
  override readonly name = 'SignedOutError';

  constructor(message = 'You are not signed in.', options?: ErrorOptions) {
    super(message, options);
  }
}

/** Message for a tab whose session was replaced by a sign-in in another tab. */
export const SESSION_REPLACED = 'A new sign-in in another tab has replaced this session.';

/** @returns the seconds of `Retry-After`; null for none, or for a date */
export function readRetryAfter(headers: Headers): number | null {
  const seconds = Number(headers.get('retry-after') ?? NaN);
  return Number.isFinite(seconds) ? seconds : null;
}
