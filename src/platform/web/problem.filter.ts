import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { requestIdOf } from './request/request-id.js';
import { describeCause, errorRow, sendProblem, toAppError } from '../errors/index.js';

/** Answers every thrown error with problem details; logs the cause of those with status 5xx. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Problem');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(thrown, http.getRequest<Request>(), http.getResponse<Response>());
  }

  /** Answers an error thrown outside Nest: in middleware, the body parser included. */
  answer(thrown: unknown, request: Request, response: Response): void {
    const error = toAppError(thrown);
    const requestId = requestIdOf(request);
    if (errorRow(error.code).status >= 500) {
      this.logger.error({ requestId, code: error.code, cause: describeCause(error.cause) });
    }
    sendProblem(response, error, requestId);
  }
}
