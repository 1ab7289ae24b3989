import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { PinoLogger } from 'nestjs-pino';
import { requestIdOf } from '../web/index.js';
import { isProbe, routeOf } from './route-of.js';

/**
 * One line per request, also for one that is refused before it reaches a route. It names the route's pattern, never the address that was
 * asked for, nor headers, body, client address or user agent: what is not logged need not be erased.
 */
@Injectable()
export class RequestLog {
  private readonly logger: PinoLogger['logger'];

  constructor({ logger }: PinoLogger) {
    this.logger = logger.child({ context: 'Request' }); // without the ways round that a line by the framework takes
  }

  /** Express middleware: writes the line when the answer is out, or its caller gone. */
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
