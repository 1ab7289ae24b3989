import type { IncomingHttpHeaders } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { AppError, toAppError } from '../../errors/index.js';
import { authenticationOf } from '../authentication.js';
import { type FormLimits, hasText, readText, type TextBodyRules } from './form-body.js';
import { parseJson } from './json-guard.js';
import { receiveBody } from './receive-body.js';

const MAX_BODY_BYTES = 64 * 1024;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
const OTHER_CHARSET = /;\s*charset\s*=\s*(?!"?utf-8"?\s*(?:;|$))/i;

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
