import type { NextFunction, Request, RequestHandler, Response } from 'express';

/**
 * Combines middlewares into one: Express's dispatch between two of them costs more than most of
 * them do.
 * @returns a middleware that runs the steps in order and stops at the first error
 */
export function inTurn(...steps: readonly RequestHandler[]): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    let at = 0;
    const step = (error?: unknown): void => {
      const handler = steps[at++];
      if (error !== undefined || !handler) return next(error);
      void handler(request, response, step);
    };
    step();
  };
}
