import type { IncomingHttpHeaders } from 'node:http';
import { finished } from 'node:stream';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import getRawBody from 'raw-body';
import { AppError, toAppError } from '../../errors/index.js';
import { parseJson } from './json-guard.js';

const MAX_BODY_BYTES = 64 * 1024;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
const NOTHING = Buffer.alloc(0);
const OTHER_CHARSET = /;\s*charset\s*=\s*(?!"?utf-8"?\s*(?:;|$))/i;

const REFUSAL = Symbol('bodyRefusal');
const LIMIT = Symbol('bodyLimit');
const UNREAD = Symbol('bodyUnread');
type Refused = Request & { [REFUSAL]?: AppError };
type Limited = Request & { [LIMIT]?: number; [UNREAD]?: true };

/** Lets the body of a request be larger than of others. */
export function allowBody(request: Request, maxBytes: number): void {
  (request as Limited)[LIMIT] = maxBytes;
}

/** @returns why the body of a request is refused; undefined if it is not */
export function bodyRefusalOf(request: Request): AppError | undefined {
  return (request as Refused)[REFUSAL];
}

/** Leaves the body of a request unread, for a route that reads it after the permission check. */
export function leaveBody(request: Request): void {
  (request as Limited)[UNREAD] = true;
}

/**
 * Creates the middleware that parses JSON bodies: 415 for another type, charset or encoding, 413
 * over 64 KiB or what the route allows, 400 for what {@link parseJson} refuses. It records the
 * refusal; BodyGuard throws it after authentication and rate limits.
 */
export function jsonBody(): RequestHandler {
  return (request: Request, _response: Response, next: NextFunction) => {
    const { headers } = request;
    const length = headers['content-length'];
    if (request.body !== undefined || (request as Limited)[UNREAD]) return next();
    if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0')) return next();
    const refuse = (refusal: AppError): void => {
      (request as Refused)[REFUSAL] = refusal;
      next();
    };
    const unsupported = isJson(headers) ? null : new AppError('unsupported-media-type');
    if (unsupported && length !== undefined) return refuse(unsupported);
    receiveBody(request, (request as Limited)[LIMIT] ?? MAX_BODY_BYTES, (error, body) => {
      if (error) return refuse(unsupported ?? toAppError(error));
      if (body.length === 0) return next(); // chunked, without a chunk
      if (unsupported) return refuse(unsupported);
      try {
        request.body = parseJson(body);
      } catch (refusal) {
        return refuse(toAppError(refusal));
      }
      next();
    });
  };
}

/**
 * Reads the body of a request that has an own parser.
 * @returns no bytes for a request without a body
 * @throws as raw-body does, after the rest of the body was discarded
 */
export function readBody(request: Request, maxBytes: number): Promise<Buffer> {
  const { headers } = request;
  const length = headers['content-length'];
  if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0'))
    return Promise.resolve(NOTHING);
  return new Promise((resolve, reject) => {
    receiveBody(request, maxBytes, (error, body) => (error ? reject(error) : resolve(body)));
  });
}

type Received = (error: Error | null, body: Buffer) => void;

/**
 * Receives the body of a request, which must have one. A small one has usually arrived with the
 * headers, before the request was authenticated: taking it saves the listeners and events of the
 * stream.
 * @param then called at once with a body that has arrived; with an error, after the rest of the
 *   body was discarded
 */
export function receiveBody(request: Request, maxBytes: number, then: Received): void {
  if (request.complete && request.readable && request.readableLength <= maxBytes)
    return then(null, readArrived(request));
  const { 'content-length': length } = request.headers;
  getRawBody(request, { limit: maxBytes, length }, (error, body) => {
    if (error) drained(request, () => then(error, NOTHING));
    else then(null, body);
  });
}

const pieceOf = (request: Request): Buffer | null => request.read() as Buffer | null;

/** Reads what has arrived, which may be several pieces: Node returns them one by one. */
function readArrived(request: Request): Buffer {
  const pieces: Buffer[] = [];
  for (let piece = pieceOf(request); piece; piece = pieceOf(request)) pieces.push(piece);
  const [first = NOTHING] = pieces;
  return pieces.length > 1 ? Buffer.concat(pieces) : first;
}

function isJson(headers: IncomingHttpHeaders): boolean {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  return JSON_TYPE.test(type) && !OTHER_CHARSET.test(type) && encoding.toLowerCase() === 'identity';
}

/**
 * Calls `then` after the rest of the body has been discarded: if the connection is closed while the
 * client still sends, the client may lose the response.
 */
function drained(request: Request, then: () => void): void {
  finished(request, then);
  request.resume();
}
