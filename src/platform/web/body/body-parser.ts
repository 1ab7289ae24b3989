import type { IncomingHttpHeaders } from 'node:http';
import { finished } from 'node:stream';
import { type CanActivate, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import getRawBody from 'raw-body';
import { AppError, toAppError } from '../../errors/index.js';
import { authenticationOf } from '../authentication.js';
import { parseJson } from './json-guard.js';

export const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
export const EVENT_TYPE = /^application\/secevent\+jwt\s*$/i;
/** Parameters that identify the flow: OAuth 2.0's, SAML's, and this service's own. */
const FLOW_PARAMETERS = new Set(['state', 'RelayState', 'form']);
/** Parameters that may be repeated (RFC 8707 section 2, RFC 8693 section 2.1). */
const SEVERAL = new Set(['resource', 'audience']);
const MAX_BODY_BYTES = 64 * 1024;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
const NOTHING = Buffer.alloc(0);
const utf8 = new TextDecoder();
const OTHER_CHARSET = /;\s*charset\s*=\s*(?!"?utf-8"?\s*(?:;|$))/i;

/** Knows the maximum size of a form by the parameters of its path. */
export interface FormLimits {
  maxFormBytesOf(parameters: Request['params']): number;
}

/** A text that a route takes besides JSON. */
export interface TextBodyRules {
  readonly type: RegExp;
  readonly maxBytes: number | Type<FormLimits>;
}

/** What the body of a route may be, if that is not just JSON of at most 64 KiB. */
export interface BodyRules {
  /** A text that the route takes besides JSON. */
  readonly text?: TextBodyRules | undefined;
  /** Maximum bytes of JSON from an authenticated caller. */
  readonly maxJsonBytes?: number | undefined;
  /** Whether the route reads the body itself, after the permission check. */
  readonly isUnread?: boolean;
}

const REFUSAL = Symbol('bodyRefusal');
const RULES = Symbol('bodyRules');
type Ruled = Request & { [REFUSAL]?: AppError; [RULES]?: BodyRules };

/** Sets what the body of a request may be, by its route. */
export function setBodyRules(request: Request, rules: BodyRules): void {
  (request as Ruled)[RULES] = rules;
}

/**
 * Refuses a request whose body could not be read. Runs after authentication and rate limits, so
 * that such a request counts as any other.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { [REFUSAL]: refusal } = context.switchToHttp().getRequest<Ruled>();
    if (refusal) throw refusal;
    return true;
  }
}

/**
 * Creates the middleware that parses the bodies of requests, by the rules of their routes.
 * @param limitsOf returns the provider that knows the maximum size of a form
 */
export function parseBody(limitsOf: (type: Type<FormLimits>) => FormLimits): RequestHandler {
  return (request: Request, _response: Response, next: NextFunction) => {
    const { text, maxJsonBytes, isUnread } = (request as Ruled)[RULES] ?? {};
    if (isUnread) return next();
    if (text && hasText(request, text)) {
      const { maxBytes } = text;
      const limit =
        typeof maxBytes === 'number' ? maxBytes : limitsOf(maxBytes).maxFormBytesOf(request.params);
      return readText(request, limit, next);
    }
    const isLarge = maxJsonBytes !== undefined && authenticationOf(request).principal !== null;
    readJson(request, isLarge ? maxJsonBytes : MAX_BODY_BYTES, next);
  };
}

/**
 * Parses a JSON body: 415 for another type, charset or encoding, 413 over the limit, 400 for what
 * {@link parseJson} refuses. It records the refusal; {@link BodyGuard} throws it after
 * authentication and rate limits.
 */
function readJson(request: Request, maxBytes: number, next: NextFunction): void {
  const { headers } = request;
  const length = headers['content-length'];
  if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0')) return next();
  const refuse = (refusal: AppError): void => {
    (request as Ruled)[REFUSAL] = refusal;
    next();
  };
  const unsupported = isJson(headers) ? null : new AppError('unsupported-media-type');
  if (unsupported && length !== undefined) return refuse(unsupported);
  receiveBody(request, maxBytes, (error, body) => {
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
}

function isJson(headers: IncomingHttpHeaders): boolean {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  return JSON_TYPE.test(type) && !OTHER_CHARSET.test(type) && encoding.toLowerCase() === 'identity';
}

/** Returns whether a request has a body of the type that the route takes besides JSON. */
function hasText({ headers }: Request, { type }: TextBodyRules): boolean {
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return false;
  return type.test(headers['content-type'] ?? '');
}

/** Reads a text as the parser of Express does, without its stream that decodes: in UTF-8. */
function readText(request: Request, maxBytes: number, next: NextFunction): void {
  const { 'content-encoding': encoding = 'identity' } = request.headers;
  if (encoding.toLowerCase() !== 'identity') return next(new AppError('unsupported-media-type'));
  receiveBody(request, maxBytes, (error, body) => {
    if (error) return next(refusalOf(error, maxBytes));
    request.body = utf8.decode(body);
    next();
  });
}

function refusalOf(error: unknown, limit: number): AppError {
  const refusal = toAppError(error);
  if (refusal.code !== 'payload-too-large') return refusal;
  return new AppError(refusal.code, {
    detail: `The body is larger than ${limit / 1024} KiB.`,
    cause: error,
  });
}

/**
 * Reads the body of a request that has an own parser.
 * @returns no bytes for a request without a body
 * @throws {AppError} payload-too-large with the limit, after the rest of the body was discarded
 */
export function readBody(request: Request, maxBytes: number): Promise<Buffer> {
  const { headers } = request;
  const length = headers['content-length'];
  if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0'))
    return Promise.resolve(NOTHING);
  return new Promise((resolve, reject) => {
    receiveBody(request, maxBytes, (error, body) =>
      error ? reject(refusalOf(error, maxBytes)) : resolve(body),
    );
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
  if (request.destroyed) return then(callerHasLeft(), NOTHING);
  const { 'content-length': length } = request.headers;
  getRawBody(request, { limit: maxBytes, length }, (error, body) => {
    if (error) drained(request, () => then(error, NOTHING));
    else then(null, body);
  });
}

/**
 * Creates the error that getRawBody has for a caller who leaves while it reads. For one who left
 * before, it says that the stream is not readable: a fault of the service.
 */
const callerHasLeft = (): Error =>
  Object.assign(new Error('request aborted'), { status: 400, type: 'request.aborted' });

const pieceOf = (request: Request): Buffer | null => request.read() as Buffer | null;

/** Reads what has arrived, which may be several pieces: Node returns them one by one. */
function readArrived(request: Request): Buffer {
  const pieces: Buffer[] = [];
  for (let piece = pieceOf(request); piece; piece = pieceOf(request)) pieces.push(piece);
  const [first = NOTHING] = pieces;
  return pieces.length > 1 ? Buffer.concat(pieces) : first;
}

/**
 * Calls `then` after the rest of the body has been discarded: if the connection is closed while the
 * client still sends, the client may lose the response.
 */
function drained(request: Request, then: () => void): void {
  finished(request, then);
  request.resume();
}

/**
 * Returns the parameters of a request that a page of another site caused: of the form for a POST,
 * else of the query. If any is repeated, which RFC 6749 section 3.1 forbids, keeps only the
 * {@link FLOW_PARAMETERS} that are not. Those that may be ({@link SEVERAL}) are joined by spaces.
 */
export function parametersOf(request: Request): Readonly<Record<string, string>> {
  const parameters = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [name, value] of new URLSearchParams(encodedParametersOf(request))) {
    const before = parameters.get(name);
    if (before === undefined) parameters.set(name, value);
    else if (SEVERAL.has(name)) parameters.set(name, `${before} ${value}`);
    else repeated.add(name);
  }
  if (repeated.size === 0) return Object.fromEntries(parameters);
  const kept = [...parameters].filter(([name]) => FLOW_PARAMETERS.has(name) && !repeated.has(name));
  return Object.fromEntries(kept);
}

function encodedParametersOf({ method, body, originalUrl }: Request): string {
  if (method !== 'POST') return new URL(originalUrl, 'http://localhost').search;
  return typeof body === 'string' ? body : '';
}
