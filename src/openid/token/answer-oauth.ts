import type { Request, Response } from 'express';
import { toAppError } from '../../platform/errors/index.js';
import { headerValuesOf } from '../../platform/web/index.js';
import { OAuthError } from './oauth-error.js';

/**
 * Answers a request of a client in the form of OAuth (RFC 6749 sections 5.1 and 5.2).
 * @param answer takes the Authorization header; undefined without one
 */
export async function answerOAuth(
  request: Request,
  response: Response,
  answer: (authorization: string | undefined) => Promise<object | null>,
  status = 200,
): Promise<void> {
  try {
    const authorization = headerValuesOf(request, 'authorization');
    if (authorization.length > 1) throw new OAuthError('invalid_request', 'Send one Authorization header.');
    const body = await answer(authorization[0]);
    if (body === null) response.status(status).end();
    else send(response, status, body);
  } catch (error) {
    const refusal = error instanceof OAuthError ? error : malformed(error);
    if (refusal.status === 401) response.setHeader('WWW-Authenticate', 'Basic realm="Gatehouse"');
    send(response, refusal.status, { error: refusal.code, error_description: refusal.description });
  }
}

/**
 * Returns the refusal of a text that the database cannot hold, such as one with a NUL.
 * @throws any other error
 */
function malformed(error: unknown): OAuthError {
  if (toAppError(error).code !== 'validation-error') throw error;
  return new OAuthError('invalid_request', 'A parameter has a character that is not allowed.');
}

/** Sends JSON directly: Express would read its settings and parse the type that it has just set. */
function send(response: Response, status: number, body: object): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(body));
}
