import { Catch, Injectable, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ErrorPages } from './error-pages/error-pages.js';
import { mayHavePage, prefersPage } from './error-pages/negotiation.js';
import { requestIdOf } from './request/request-id.js';
import { describeCause, errorRow, sendProblem, toAppError } from '../errors/index.js';

/**
 * Answers every thrown error: with a page for browsers, except on JSON routes of the API, and
 * with problem details otherwise. Logs the cause of those with status 5xx.
 */
@Injectable()
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Problem');

  constructor(private readonly pages: ErrorPages) {}

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
    // Without Vary: no cache stores an error.
    const asPage = mayHavePage(request) && prefersPage(request);
    sendProblem(
      response,
      error,
      requestId,
      asPage ? this.pages.show.bind(this.pages, response, error) : undefined,
    );
  }
}
