import type { components, paths } from './generated/openapi.js';
import { rateLimitOf, type RateLimit } from './rate-limit.js';
import type { StepUpNeeded } from './step-up.js';

/** Every problem that the service answers with; the last segment of its `type`. */
export type ProblemCode = paths['/errors/{code}']['get']['parameters']['path']['code'];
/** Why an ability was denied. */
export type DenialCode = NonNullable<components['schemas']['VerdictResponse']['code']>;
/** One field that is wrong. */
export type Violation = components['schemas']['Violation'];

type Problem = components['schemas']['Problem'] & { readonly violations?: readonly Violation[] };

const TYPE = '/errors/';

/** The service has answered that it will not: problem details (RFC 9457). React to `code`; show `message`. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly status: number;
  readonly title: string;
  /** The fields that are wrong, where the code is `validation-error`. */
  readonly violations: readonly Violation[];
  /** Why an ability was denied: what the probe says for the same question. */
  readonly denial: DenialCode | null;
  /** What is asked for, where the code is `insufficient-user-authentication`. */
  readonly stepUp: StepUpNeeded | null;
  /** Names the request in the service's log; quote it in a report. */
  readonly requestId: string;
  /** After how many seconds to try again; null where the service does not say. */
  readonly retryAfterSeconds: number | null;
  readonly rateLimit: RateLimit | null;

  private constructor(problem: Problem, headers: Headers) {
    super(problem.detail);
    this.code = problem.type.slice(TYPE.length) as ProblemCode;
    this.status = problem.status;
    this.title = problem.title;
    this.violations = problem.violations ?? [];
    this.denial = (problem.code ?? null) as DenialCode | null;
    const { maxAge, methods = [] } = problem;
    this.stepUp = maxAge === undefined ? null : { maxAge, methods };
    this.requestId = problem.instance.slice('urn:request:'.length);
    this.retryAfterSeconds = retryAfterOf(headers);
    this.rateLimit = rateLimitOf(headers);
  }

  /** The error that an answer outside 2xx stands for: of another class where it is not the service that speaks, but a proxy before it. */
  static async of(response: Response): Promise<ProblemError | UnreachableError> {
    const { headers, status } = response;
    const isProblem = headers.get('content-type')?.startsWith('application/problem+json') === true;
    const problem = isProblem ? ((await response.json()) as Partial<Problem>) : {};
    if (problem.type?.startsWith(TYPE) === true) return new ProblemError(problem as Problem, headers);
    return new UnreachableError(`answered ${status}`, { retryAfterSeconds: retryAfterOf(headers) });
  }
}

/** No answer, or none of the service: the network, a proxy, a page of somebody else. Says nothing about who is signed in. */
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
 * Nobody is signed in here, or not any more: after a logout anywhere, a new password, the end of a session's time, or the reuse of a
 * refresh token that somebody stole. The service does not say which.
 */
export class SignedOutError extends Error {
  override readonly name = 'SignedOutError';

  constructor(message = 'Nobody is signed in.', options?: ErrorOptions) {
    super(message, options);
  }
}

/** The message for a tab whose session another one has replaced. */
export const SIGNED_IN_ANEW = 'Somebody has signed in anew in another tab.';

function retryAfterOf(headers: Headers): number | null {
  const seconds = Number(headers.get('retry-after') ?? NaN);
  return Number.isFinite(seconds) ? seconds : null;
}
