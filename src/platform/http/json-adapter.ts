import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';

/** RFC 9110: these answers have no content. */
const EMPTY = new Set([204, 205, 304]);

/**
 * Nest's adapter for Express with a short way for what nearly every answer is: an object, in JSON. Express asks six settings for it and parses
 * the type that it has just written. Everything else goes its usual way.
 */
export class JsonAdapter extends ExpressAdapter {
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    const status = statusCode ?? response.statusCode;
    if (!isData(body) || EMPTY.has(status) || response.hasHeader('Content-Type'))
      return super.reply(response, body, statusCode);
    response.statusCode = status;
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    return response.end(JSON.stringify(body));
  }
}

function isData(body: unknown): body is object {
  return typeof body === 'object' && body !== null && !(body instanceof StreamableFile);
}
