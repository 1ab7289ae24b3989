import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** Several middlewares as one: what Express does between two of them costs more than most of them do. */
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
