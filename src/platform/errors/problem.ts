import type { Response } from 'express';
import { AppError, type Violation } from './app-error.js';
import { errorRow } from './catalogue.js';

/** Problem details (RFC 9457): the body of every error response. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly violations?: readonly Violation[];
  /** Further members, by the code. */
  readonly [member: string]: unknown;
}

/**
 * Returns the problem details of an error.
 * @param requestId ULID of the request
 */
export function problemOf(error: AppError, requestId: string): Problem {
  const row = errorRow(error.code);
  return {
    type: `/errors/${error.code}`,
    title: row.title,
    status: row.status,
    detail: error.detail,
    instance: `urn:request:${requestId}`,
    ...(error.violations && { violations: error.violations }),
    ...error.members,
  };
}

/**
 * Sends the problem details of an error. Destroys the socket if the response has already begun.
 * @param show sends another body than JSON, with the same status and headers
 */
export function sendProblem(
  response: Response,
  error: AppError,
  requestId: string,
  show: (problem: Problem) => void = (problem) =>
    response.type('application/problem+json').send(JSON.stringify(problem)),
): void {
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
  show(problem);
}

/**
 * Returns the challenge of a 401. Without parameters of its own, it names the error only if a token
 * was presented (RFC 6750 section 3).
 */
function challengeOf({ challenge, code, cause }: AppError): string {
  if (challenge !== undefined) return `Bearer ${challenge}`;
  const presented = code === 'unauthenticated' && cause !== undefined;
  return presented ? 'Bearer realm="gatehouse", error="invalid_token"' : 'Bearer realm="gatehouse"';
}
