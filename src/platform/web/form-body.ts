import { text, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { AppError, toAppError } from '../errors/index.js';

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
/** What a browser brings back as it was given, by OAuth 2.0 and by SAML, and by us. */
const ORIGIN = new Set(['state', 'RelayState', 'form']);

/**
 * Reads the body of a form, for the few routes that pages of other sites post to; other types are left to the next handler.
 * @param maxBytesOf maximum size of the body of a request
 */
export function formBody(maxBytesOf: (request: Request) => number): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    if (request.method !== 'POST' || !FORM_TYPE.test(request.headers['content-type'] ?? '')) return next();
    const limit = maxBytesOf(request);
    const parse = text({ limit, inflate: false, type: () => true });
    parse(request, response, (error?: unknown) =>
      next(error === undefined ? undefined : refusalOf(error, limit)),
    );
  };
}

/**
 * The parameters of a request that another site's page has sent the browser with: of a POST the form and nothing else, else the query. Where
 * one is there twice, which RFC 6749 section 3.1 forbids, none of them says anything but where the browser came from.
 */
export function parametersOf(request: Request): Readonly<Record<string, string>> {
  const { search } = new URL(request.originalUrl, 'http://localhost');
  const form = typeof request.body === 'string' ? request.body : '';
  const parameters = new Map<string, string>();
  const twice = new Set<string>();
  for (const [name, value] of new URLSearchParams(request.method === 'POST' ? form : search)) {
    if (parameters.has(name)) twice.add(name);
    parameters.set(name, value);
  }
  const said = [...parameters].filter(([name]) => twice.size === 0 || (ORIGIN.has(name) && !twice.has(name)));
  return Object.fromEntries(said);
}

function refusalOf(error: unknown, limit: number): AppError {
  const refusal = toAppError(error);
  if (refusal.code !== 'payload-too-large') return refusal;
  return new AppError(refusal.code, {
    detail: `The form is larger than ${limit / 1024} KiB.`,
    cause: error,
  });
}
