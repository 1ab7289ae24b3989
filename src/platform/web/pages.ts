import type { Request, Response } from 'express';

/** Pages and files that the service shows beside its routes. Asked for paths alone that no route has. */
export interface Pages {
  /** Answers a request for one of them; false for every other, which is nobody's. */
  answer(request: Request, response: Response): boolean;
}

export const PAGES = Symbol('pages');
