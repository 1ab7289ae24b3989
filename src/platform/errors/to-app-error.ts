import { HttpException } from '@nestjs/common';
import { AppError } from './app-error.js';
import type { ErrorCode } from './error-codes.js';

const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'validation-error',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  409: 'conflict',
  413: 'payload-too-large',
  415: 'unsupported-media-type',
  429: 'too-many-requests',
  431: 'headers-too-large',
  503: 'unavailable',
};

/** Retry-After while the database is unavailable, in seconds. */
const DATABASE_RETRY_SECONDS = 2;

/** SQLSTATE of a write at a standby (read_only_sql_transaction). */
const READ_ONLY_SQLSTATE = '25006';
/**
 * SQLSTATEs of transient failures: connection, resources, operator intervention, lock and statement
 * timeouts, serialization, standby.
 */
const TRANSIENT_SQLSTATE = /^(08|53|57|58|40)|^55P03$|^25P03$|^25006$/;
const TRANSIENT_ERRNO = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);
const TRANSIENT_MESSAGE =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Client has encountered a connection error|Cannot use a pool after|not queryable/;

/**
 * SQLSTATE of a text that the database cannot hold, such as one with a NUL. Only a caller can have
 * sent one; fields of requests refuse it earlier, and say which field it is.
 */
const UNSTORABLE_SQLSTATE = '22021';

interface Coded {
  readonly code?: unknown;
  readonly routine?: unknown;
  readonly driverError?: unknown;
  readonly errors?: unknown;
}

/**
 * Checks whether an error means that the database is unavailable, not that a statement was wrong.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, driverError, errors } = error as Coded;
  if (driverError !== undefined && driverError !== error && isDatabaseUnavailable(driverError)) return true;
  if (Array.isArray(errors) && errors.some(isDatabaseUnavailable)) return true;
  if (isPlanOutdated(error)) return true;
  if (typeof code === 'string' && (TRANSIENT_SQLSTATE.test(code) || TRANSIENT_ERRNO.has(code))) return true;
  return TRANSIENT_MESSAGE.test(error.message);
}

/**
 * Checks whether a migration has changed the result type of a prepared statement ("cached plan must
 * not change result type"). Does not rely on the message, which is translated.
 */
export function isPlanOutdated(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as Coded;
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

/** Checks whether a statement failed because its server takes no writes, as a standby. */
export function isReadOnly(error: unknown): boolean {
  return ((error ?? {}) as Coded).code === READ_ONLY_SQLSTATE;
}

/**
 * Converts any thrown value, errors of Nest, Express and the driver included, into an `AppError`.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseUnavailable(error)) {
    return new AppError('unavailable', { retryAfterSeconds: DATABASE_RETRY_SECONDS, cause: error });
  }
  const status = statusOf(error);
  const code = CODE_OF_STATUS[status] ?? (status >= 400 && status < 500 ? 'validation-error' : 'internal');
  if (code === 'validation-error') {
    return new AppError(code, {
      violations: [{ propertyPath: '', message: 'The request could not be read.' }],
      cause: error,
    });
  }
  return new AppError(code, {
    cause: error,
    ...(code === 'unavailable' && { retryAfterSeconds: DATABASE_RETRY_SECONDS }),
  });
}

function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  if (error instanceof URIError) return 400;
  const { status, code } = (error ?? {}) as Coded & { readonly status?: unknown };
  if (code === UNSTORABLE_SQLSTATE) return 400;
  return typeof status === 'number' ? status : 500;
}
