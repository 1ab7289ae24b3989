import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { requestIdOf } from '../http/request-id.js';
import { ERROR_CATALOGUE } from './catalogue.js';
import { sendProblem } from './problem.js';
import { toAppError } from './to-app-error.js';

/** The one exit for errors: everything that is thrown leaves here as problem details. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Problem');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(thrown, http.getRequest<Request>(), http.getResponse<Response>());
  }

  /** For errors outside Nest's reach: body parser and middleware. */
  answer(thrown: unknown, request: Request, response: Response): void {
    const error = toAppError(thrown);
    const requestId = requestIdOf(request);
    if (ERROR_CATALOGUE[error.code].status >= 500) {
      this.logger.error({ requestId, code: error.code, cause: describe(error.cause) });
    }
    sendProblem(response, error, requestId);
  }
}

/** Name, SQLSTATE and stack of a cause. Not its other properties: a driver error holds parameters, which are personal data. */
function describe(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause === undefined ? undefined : typeof cause;
  const code = (cause as { code?: unknown }).code;
  return {
    name: cause.name,
    code,
    message: code === undefined ? cause.message : undefined,
    frames: framesOf(cause),
  };
}

function framesOf(error: Error): string[] {
  return (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim());
}
