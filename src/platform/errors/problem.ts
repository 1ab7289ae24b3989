import type { Response } from 'express';
import { AppError, type Violation } from './app-error.js';
import { ERROR_CATALOGUE } from './catalogue.js';

/** Problem details (RFC 9457): the body of every error response. */
interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly violations?: readonly Violation[];
  /** Why an ability was denied (API-9). */
  readonly code?: string;
  /** For a sign-in that is too old (RFC 9470): maximum age in seconds, methods to confirm. */
  readonly maxAge?: number;
  readonly methods?: readonly string[];
}

/**
 * Returns the problem details of an error.
 * @param requestId ULID of the request
 */
export function problemOf(error: AppError, requestId: string): Problem {
  const row = ERROR_CATALOGUE[error.code];
  return {
    type: `/errors/${error.code}`,
    title: row.title,
    status: row.status,
    detail: error.detail,
    instance: `urn:request:${requestId}`,
    ...(error.violations && { violations: error.violations }),
    ...(error.denialCode !== undefined && { code: error.denialCode }),
    ...error.neededProof,
  };
}

/** Sends the problem details of an error. Destroys the socket if the response has already begun. */
export function sendProblem(response: Response, error: AppError, requestId: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const problem = problemOf(error, requestId);
  response.status(problem.status);
  response.setHeader('Cache-Control', 'no-store');
  if (problem.status === 401) response.setHeader('WWW-Authenticate', challengeOf(error));
  if (error.retryAfterSeconds !== undefined) {
    response.setHeader('Retry-After', String(Math.max(1, Math.ceil(error.retryAfterSeconds))));
  }
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  response.type('application/problem+json').send(JSON.stringify(problem));
}

/**
 * Returns the challenge of a 401. It names the error only if a token was presented (RFC 6750
 * section 3), and the maximum age of a sign-in that is too old (RFC 9470 section 3).
 */
function challengeOf(error: AppError): string {
  if (error.neededProof)
    return `Bearer error="insufficient_user_authentication", max_age="${error.neededProof.maxAge}"`;
  const presented = error.code === 'unauthenticated' && error.cause !== undefined;
  return presented ? 'Bearer realm="gatehouse", error="invalid_token"' : 'Bearer realm="gatehouse"';
}
