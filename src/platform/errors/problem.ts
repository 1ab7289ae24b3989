import type { Response } from 'express';
import { AppError, type Violation } from './app-error.js';
import { ERROR_CATALOGUE } from './catalogue.js';

/** RFC 9457 problem details, as every answer outside 2xx carries them. */
interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly violations?: readonly Violation[];
  /** Why an ability was denied (contract section 5). */
  readonly code?: string;
  /** What lifts the refusal of a sign-in that is too old (RFC 9470). */
  readonly maxAge?: number;
  readonly methods?: readonly string[];
}

/** The public form of an error; `requestId` is the ULID of the request. */
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

/** Writes the problem as the answer. Does nothing but end the socket when the answer has already begun. */
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

/** RFC 6750 section 3: the challenge names the error only where a token was presented. RFC 9470 section 3: how old a sign-in may be. */
function challengeOf(error: AppError): string {
  if (error.neededProof)
    return `Bearer error="insufficient_user_authentication", max_age="${error.neededProof.maxAge}"`;
  const presented = error.code === 'unauthenticated' && error.cause !== undefined;
  return presented ? 'Bearer realm="gatehouse", error="invalid_token"' : 'Bearer realm="gatehouse"';
}
