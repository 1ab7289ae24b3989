import type { Response } from 'express';
import type { ScimAnswer } from './scim-call.js';

const MEDIA_TYPE = 'application/scim+json; charset=utf-8';

/** Sends an answer, unless its caller has gone. */
export function sendScim(response: Response, { status, body, headers = {} }: ScimAnswer): void {
  if (response.headersSent || response.destroyed) return;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (body === undefined) {
    response.end();
    return;
  }
  response.setHeader('Content-Type', MEDIA_TYPE);
  response.end(JSON.stringify(body));
}
