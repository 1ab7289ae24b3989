import { json, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { AppError } from '../errors/app-error.js';
import { toAppError } from '../errors/to-app-error.js';
import { guardJson } from './json-guard.js';

const LIMIT_BYTES = 64 * 1024;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const REFUSAL = Symbol('bodyRefusal');
type Refused = Request & { [REFUSAL]?: AppError };

/** Why the body of the request is not taken, if so. */
export function bodyRefusalOf(request: Request): AppError | undefined {
  return (request as Refused)[REFUSAL];
}

/**
 * Reads JSON bodies and nothing else: 415 for another type, charset or encoding, 413 over 64 KiB, 400 for what {@link guardJson} refuses. The
 * refusal is only noted; BodyGuard answers with it when it is its turn.
 */
export function jsonBody(): RequestHandler {
  const parse = json({
    limit: LIMIT_BYTES,
    strict: true,
    inflate: false,
    type: () => true,
    verify: (_req, _res, body) => guardJson(body),
  });
  return (request: Request, response: Response, next: NextFunction) => {
    const {
      'content-length': length,
      'transfer-encoding': chunked,
      'content-type': type = '',
    } = request.headers;
    if (request.body !== undefined) return next();
    if (chunked === undefined && (length === undefined || length === '0')) return next();
    const refuse = (refusal: AppError): void => {
      (request as Refused)[REFUSAL] = refusal;
      next();
    };
    if (!JSON_TYPE.test(type)) return refuse(new AppError('unsupported-media-type'));
    parse(request, response, (error?: unknown) => {
      if (error === undefined) return next();
      refuse(
        error instanceof SyntaxError
          ? AppError.violation('', 'The body is not valid JSON.')
          : toAppError(error),
      );
    });
  };
}
