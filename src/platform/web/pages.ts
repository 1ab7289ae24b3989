import type { Request, Response } from 'express';

/** Pages and files that the service serves on paths without a route. */
export interface Pages {
  /**
   * @returns true if it has answered the request, false if the path is neither a page nor a file
   */
  answer(request: Request, response: Response): boolean;
}

export const PAGES = Symbol('pages');
