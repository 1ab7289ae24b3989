import type { Request, Response } from 'express';
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
    if (!(error instanceof OAuthError)) throw error;
    if (error.status === 401) response.setHeader('WWW-Authenticate', 'Basic realm="Gatehouse"');
    send(response, error.status, { error: error.code, error_description: error.description });
  }
}

/** Sends JSON directly: Express would read its settings and parse the type that it has just set. */
function send(response: Response, status: number, body: object): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(body));
}
