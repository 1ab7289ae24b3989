import { HttpException } from '@nestjs/common';
import type { DenialCode } from '../errors.js';
import { InvalidTokenError, UnavailableError } from '../verifier/index.js';

/** The token is good, and does not suffice. */
export class Denial extends Error {
  constructor(
    readonly code: DenialCode,
    message: string,
  ) {
    super(message);
  }
}

/** Of Express and Fastify alike. */
export interface Reply {
  header(name: string, value: string): unknown;
}

interface Refusal {
  readonly status: number;
  readonly title: string;
  readonly code?: DenialCode;
  readonly header: readonly [name: string, value: string];
}

const RETRY_AFTER_SECONDS = '2';

/** What is thrown for an error of the guard: problem details (RFC 9457), with the header of RFC 6750 or 9110 that belongs to them. */
export function refusalOf(error: unknown, reply: Reply): unknown {
  const refusal = describe(error);
  if (!refusal) return error;
  const { header, ...problem } = refusal;
  reply.header('content-type', 'application/problem+json');
  reply.header(...header);
  const detail = (error as Error).message;
  return new HttpException({ type: 'about:blank', ...problem, detail }, problem.status, { cause: error });
}

function describe(error: unknown): Refusal | null {
  if (error instanceof InvalidTokenError)
    return { status: 401, title: 'Unauthorized', header: challenge('invalid_token') };
  if (error instanceof Denial)
    return { status: 403, title: 'Forbidden', code: error.code, header: challenge('insufficient_scope') };
  if (error instanceof UnavailableError)
    return { status: 503, title: 'Service Unavailable', header: ['retry-after', RETRY_AFTER_SECONDS] };
  return null;
}

const challenge = (error: string) =>
  ['www-authenticate', `Bearer realm="gatehouse", error="${error}"`] as const;
