import { ProblemError, UnreachableError } from './errors.js';
import type { components } from './generated/openapi.js';
import type { Http } from './http.js';
import { pickCredentials, type SatelliteClient } from './satellite.js';

export type Tokens = components['schemas']['TokenResponse'];
/** Requests the next tokens from the service. */
export type Refresh = (refreshToken: string, tenantId: string | null) => Promise<Tokens>;

/** A refresh that takes longer is treated as lost. */
const REFRESH_TIMEOUT_MS = 10_000;

/**
 * Returns the refresh by the operation of the service.
 * @param satellite credentials of a satellite, on its server
 */
export function refreshBy(http: Http, satellite: SatelliteClient | undefined): Refresh {
  return async (refreshToken, tenantId) => {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), REFRESH_TIMEOUT_MS);
    const { signal } = timeout;
    const body = {
      refreshToken,
      ...(tenantId !== null && { tenantId }),
      ...(satellite && pickCredentials(satellite)),
    };
    try {
      return (await http.call('post', '/api/v1/iam/auth/refresh', [{ body, signal }])).data;
    } catch (error) {
      throw signal.aborted ? new UnreachableError('no response in time', { cause: error }) : error;
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Returns whether the refresh token is no longer valid, for whatever reason. */
export function isSessionEnd({ code, violations }: ProblemError): boolean {
  const unreadable = violations.some(({ propertyPath }) => propertyPath === 'refreshToken');
  return code === 'invalid-refresh-token' || (code === 'validation-error' && unreadable);
}

/**
 * Returns the milliseconds after which to present the same token again; null if the error is final.
 */
export function findRetryDelay(error: unknown, pauseMs: number): number | null {
  const transient =
    error instanceof UnreachableError ||
    (error instanceof ProblemError && (error.status >= 500 || error.status === 429));
  if (!transient) return null;
  return error.retryAfterSeconds === null ? pauseMs : error.retryAfterSeconds * 1000;
}
