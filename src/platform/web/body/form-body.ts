import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { AppError, toAppError } from '../../errors/index.js';
import { receiveBody } from './body-parser.js';

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const utf8 = new TextDecoder();
const EVENT_TYPE = /^application\/secevent\+jwt\s*$/i;
/** Parameters that identify the flow: OAuth 2.0's, SAML's, and this service's own. */
const FLOW_PARAMETERS = new Set(['state', 'RelayState', 'form']);

/**
 * Creates the middleware that reads a form body, for the routes to which pages of other sites post.
 * Leaves other types to the next handler.
 * @param paths tests the paths of these routes
 * @param maxBytesOf returns the maximum size of the body of a request
 */
export function formBody(paths: RegExp, maxBytesOf: (request: Request) => number): RequestHandler {
  return textBody(FORM_TYPE, paths, maxBytesOf);
}

/**
 * Creates the middleware that reads a security event token (RFC 8935 section 2.1), as a text.
 * @param paths tests the paths of the routes that take one
 */
export function eventBody(paths: RegExp, maxBytes: number): RequestHandler {
  return textBody(EVENT_TYPE, paths, () => maxBytes);
}

/** As the parser of Express does, without its stream that decodes: the charset is UTF-8. */
function textBody(type: RegExp, paths: RegExp, maxBytesOf: (request: Request) => number): RequestHandler {
  return (request: Request, _response: Response, next: NextFunction) => {
    const { headers } = request;
    if (request.method !== 'POST' || !type.test(headers['content-type'] ?? '')) return next();
    if (!paths.test(request.path)) return next();
    const { 'content-encoding': encoding = 'identity', 'content-length': length } = headers;
    if (length === undefined && headers['transfer-encoding'] === undefined) return next();
    if (encoding.toLowerCase() !== 'identity') return next(new AppError('unsupported-media-type'));
    const limit = maxBytesOf(request);
    receiveBody(request, limit, (error, body) => {
      if (error) return next(refusalOf(error, limit));
      request.body = utf8.decode(body);
      next();
    });
  };
}

/**
 * Returns the parameters of a request that a page of another site caused: of the form for a POST,
 * else of the query. If any is repeated, which RFC 6749 section 3.1 forbids, keeps only those of
 * {@link FLOW_PARAMETERS} that are not.
 */
export function parametersOf(request: Request): Readonly<Record<string, string>> {
  const parameters = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [name, value] of new URLSearchParams(encodedParametersOf(request))) {
    if (parameters.has(name)) repeated.add(name);
    parameters.set(name, value);
  }
  if (repeated.size === 0) return Object.fromEntries(parameters);
  const kept = [...parameters].filter(([name]) => FLOW_PARAMETERS.has(name) && !repeated.has(name));
  return Object.fromEntries(kept);
}

function encodedParametersOf({ method, body, originalUrl }: Request): string {
  if (method !== 'POST') return new URL(originalUrl, 'http://localhost').search;
  return typeof body === 'string' ? body : '';
}

function refusalOf(error: unknown, limit: number): AppError {
  const refusal = toAppError(error);
  if (refusal.code !== 'payload-too-large') return refusal;
  return new AppError(refusal.code, {
    detail: `The body is larger than ${limit / 1024} KiB.`,
    cause: error,
  });
}
