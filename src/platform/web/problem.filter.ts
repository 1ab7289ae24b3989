import { Catch, Inject, Injectable, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type Settings, SETTINGS } from '../config/index.js';
import { ErrorPages } from './error-pages/error-pages.js';
import { mayHavePage, prefersPage } from './error-pages/negotiation.js';
import { requestIdOf } from './request/request-id.js';
import { type AppError, describeCause, errorRow, sendProblem, toAppError } from '../errors/index.js';
import { DEFAULT_LOCALE, findLocale, type Locale } from '../messages/index.js';
import { CallerLocale } from './request/caller-locale.js';

/**
 * Answers every thrown error: with a page for browsers, except on JSON routes of the API, and
 * with problem details otherwise. Logs the cause of those with status 5xx.
 */
@Injectable()
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('Problem');
  private readonly resourceMetadata: string;

  constructor(
    private readonly pages: ErrorPages,
    private readonly locales: CallerLocale,
    @Inject(SETTINGS) { PUBLIC_URL }: Settings,
  ) {
    this.resourceMetadata = `${PUBLIC_URL}/.well-known/oauth-protected-resource`;
  }

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
    if (error.isTranslated)
      this.sendTranslated(error, request, response).catch((cause: unknown) => {
        this.logger.error({ requestId, code: error.code, cause: describeCause(cause) });
        response.destroy();
      });
    else this.send(error, request, response, DEFAULT_LOCALE);
  }

  private async sendTranslated(error: AppError, request: Request, response: Response): Promise<void> {
    // The refusal is certain: without the database it is told in English.
    const locale = await this.locales.find(request).catch(() => DEFAULT_LOCALE);
    this.send(error, request, response, locale);
  }

  private send(error: AppError, request: Request, response: Response, locale: Locale): void {
    // Without Vary: no cache stores an error.
    const asPage = mayHavePage(request) && prefersPage(request);
    const spoken = asPage && !error.isTranslated ? (findLocale(request) ?? locale) : locale;
    const show = asPage ? { show: this.pages.show.bind(this.pages, response, error, spoken) } : {};
    const { resourceMetadata } = this;
    sendProblem(response, error, requestIdOf(request), { locale: spoken, resourceMetadata, ...show });
  }
}
