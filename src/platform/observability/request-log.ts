import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { PinoLogger } from 'nestjs-pino';
import { requestIdOf } from '../web/index.js';
import { isProbe, routeOf } from './route-of.js';

/**
 * Logs one line per request, also if it is refused before it reaches a route. Logs the pattern of
 * the route, never the requested path, headers, body, client address or user agent: what is not
 * logged need not be erased.
 */
@Injectable()
export class RequestLog {
  private readonly logger: PinoLogger['logger'];

  constructor({ logger }: PinoLogger) {
    this.logger = logger.child({ context: 'Request' }); // faster than the framework's logger
  }

  /** Express middleware: logs when the response is sent, or its client has disconnected. */
  readonly observe = (request: Request, response: Response, next: NextFunction): void => {
    if (isProbe(request)) return next();
    const started = performance.now();
    response.on('close', () => {
      this.logger.info({
        requestId: requestIdOf(request),
        method: request.method,
        route: routeOf(request),
        status: response.statusCode,
        milliseconds: Math.round(performance.now() - started),
        ...(!response.writableFinished && { aborted: true }),
      });
    });
    next();
  };
}
