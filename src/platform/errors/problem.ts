import type { Response } from 'express';
import { DEFAULT_LOCALE, formatMessage, type Locale, textOf } from '../messages/index.js';
import { AppError } from './app-error.js';
import { errorRow } from './catalogue.js';

/** Problem details (RFC 9457): the body of every error response. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly violations?: readonly { readonly propertyPath: string; readonly message: string }[];
  /** Further members, by the code. */
  readonly [member: string]: unknown;
}

/**
 * Returns the problem details of an error.
 * @param requestId ULID of the request
 * @param locale language of texts that are messages
 */
export function problemOf(error: AppError, requestId: string, locale: Locale = DEFAULT_LOCALE): Problem {
  const row = errorRow(error.code);
  return {
    type: `/errors/${error.code}`,
    title: row.title,
    status: row.status,
    detail: error.reason ? formatMessage(error.reason, locale) : error.detail,
    instance: `urn:request:${requestId}`,
    ...(error.violations && {
      violations: error.violations.map(({ propertyPath, message }) => ({
        propertyPath,
        message: textOf(message, locale),
      })),
    }),
    ...error.members,
  };
}

interface Sending {
  /** Language of texts that are messages. Default: English. */
  readonly locale?: Locale;
  /** Sends another body than JSON, with the same status and headers. */
  readonly show?: (problem: Problem) => void;
  /** Address of the metadata of the API, for callers without a token (RFC 9728 section 5.1). */
  readonly resourceMetadata?: string;
}

/** Sends the problem details of an error. Destroys the socket if the response has already begun. */
export function sendProblem(
  response: Response,
  error: AppError,
  requestId: string,
  { locale = DEFAULT_LOCALE, show, resourceMetadata }: Sending = {},
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const problem = problemOf(error, requestId, locale);
  response.status(problem.status);
  response.setHeader('Cache-Control', 'no-store');
  if (problem.status === 401) response.setHeader('WWW-Authenticate', challengeOf(error, resourceMetadata));
  if (error.retryAfterSeconds !== undefined) {
    response.setHeader('Retry-After', String(Math.max(1, Math.ceil(error.retryAfterSeconds))));
  }
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  if (show) show(problem);
  else response.type('application/problem+json').send(JSON.stringify(problem));
}

/**
 * Returns the challenge of a 401. Without parameters of its own, it names the error only if a token
 * was presented (RFC 6750 section 3).
 */
function challengeOf({ scheme, challenge, code, cause }: AppError, metadata: string | undefined): string {
  if (challenge !== undefined) return `${scheme} ${challenge}`;
  if (code !== 'unauthenticated') return 'Bearer realm="gatehouse"';
  const error = cause === undefined ? '' : ', error="invalid_token"';
  const where = metadata === undefined ? '' : `, resource_metadata="${metadata}"`;
  return `Bearer realm="gatehouse"${error}${where}`;
}
