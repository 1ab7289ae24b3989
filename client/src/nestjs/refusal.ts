import { HttpException } from '@nestjs/common';
import type { AuthenticationNeed } from '../authentication.js';
import type { DenialCode } from '../errors.js';
import {
  InvalidTokenError,
  type ProtectedResource,
  type ResourceRefusal,
  UnavailableError,
} from '../verifier/index.js';

/** The request has no access token (RFC 6750 section 3.1: the answer names no error). */
export class MissingTokenError extends Error {
  constructor() {
    super('This needs an access token: send it as Authorization: Bearer.');
  }
}

/** The token is valid but does not allow the request. */
export class Denial extends Error {
  /** @param scopes what the route requires */
  constructor(
    readonly code: DenialCode,
    message: string,
    readonly scopes: readonly string[] = [],
  ) {
    super(message);
  }
}

/** The sign-in is too weak or too old (RFC 9470). */
export class InsufficientSignIn extends Error {
  constructor(readonly need: AuthenticationNeed) {
    super('This needs a stronger or more recent sign-in. Confirm that it is you, then try again.');
  }
}

/** A response of Express or Fastify. */
export interface Reply {
  header(name: string, value: string): unknown;
}

interface Refusal {
  readonly status: number;
  readonly title: string;
  readonly code?: DenialCode;
  readonly acr?: string;
  readonly maxAge?: number;
  readonly header: readonly [name: string, value: string];
}

const RETRY_AFTER_SECONDS = '2';

/**
 * Converts an error of the guard into problem details (RFC 9457), with the header of RFC 6750 or
 * RFC 9110. Returns other errors unchanged.
 * @param resource API whose metadata leads clients to a token (RFC 9728); null for none
 */
export function toHttpException(
  error: unknown,
  reply: Reply,
  resource: ProtectedResource | null = null,
): unknown {
  const refusal = findRefusal(error, resource);
  if (!refusal) return error;
  const { header, ...problem } = refusal;
  reply.header('content-type', 'application/problem+json');
  reply.header(...header);
  const detail = (error as Error).message;
  return new HttpException({ type: 'about:blank', ...problem, detail }, problem.status, { cause: error });
}

function findRefusal(error: unknown, resource: ProtectedResource | null): Refusal | null {
  const challenge = (refused: ResourceRefusal) =>
    ['www-authenticate', resource ? resource.challenge(refused) : plainChallenge(refused)] as const;
  if (error instanceof MissingTokenError)
    return { status: 401, title: 'Unauthorized', header: challenge({}) };
  if (error instanceof InvalidTokenError)
    return { status: 401, title: 'Unauthorized', header: challenge({ error: 'invalid_token' }) };
  if (error instanceof Denial) {
    const { code, scopes } = error;
    const header = challenge({ error: 'insufficient_scope', ...(scopes.length > 0 && { scopes }) });
    return { status: 403, title: 'Forbidden', code, header };
  }
  if (error instanceof InsufficientSignIn) {
    const { acr = 'aal1', maxAge } = error.need;
    return {
      status: 401,
      title: 'Insufficient User Authentication',
      code: 'authentication_insufficient',
      acr,
      ...(maxAge !== undefined && { maxAge }),
      header: challenge({
        error: 'insufficient_user_authentication',
        ...(error.need.acr !== undefined && { acr }),
        ...(maxAge !== undefined && { maxAge }),
      }),
    };
  }
  if (error instanceof UnavailableError)
    return { status: 503, title: 'Service Unavailable', header: ['retry-after', RETRY_AFTER_SECONDS] };
  return null;
}

/** Returns the header of RFC 6750 section 3, with the parameters of RFC 9470. */
function plainChallenge({ error, scopes, acr, maxAge }: ResourceRefusal): string {
  const parameters = {
    realm: 'gatehouse',
    error,
    scope: scopes?.join(' '),
    acr_values: acr,
    max_age: maxAge,
  };
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return `Bearer ${given.map(([name, value]) => `${name}="${String(value)}"`).join(', ')}`;
}
