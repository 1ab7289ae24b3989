import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { describeCause } from '../../platform/errors/index.js';
import { DirectoryLog } from '../directories/directory-log.js';
import { directoryTokenOf } from './directory-access.js';
import type { ScimAnswer } from './scim-call.js';
import { pathBelowDirectory } from './scim-path.js';

const MEDIA_TYPE = 'application/scim+json; charset=utf-8';
const LOGGED = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Sends the answers to directories, and stores the calls for administrators. */
@Injectable()
export class ScimReplies {
  private readonly logger = new Logger('Scim');

  constructor(private readonly calls: DirectoryLog) {}

  /** Stores the call, and sends its answer, unless its caller has gone. */
  async send(request: Request, response: Response, answer: ScimAnswer): Promise<void> {
    await this.record(request, answer);
    if (response.headersSent || response.destroyed) return;
    const { status, body, headers = {} } = answer;
    response.statusCode = status;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (body === undefined) {
      response.end();
      return;
    }
    response.setHeader('Content-Type', MEDIA_TYPE);
    response.end(JSON.stringify(body));
  }

  /**
   * Stores a call that was authenticated, and each refused operation of a bulk request. Without the
   * log, the call is answered all the same.
   */
  private async record(request: Request, answer: ScimAnswer): Promise<void> {
    const token = directoryTokenOf(request);
    if (!token || !LOGGED.has(request.method)) return;
    try {
      for (const refusal of answer.refusals ?? [])
        await this.calls.record(token, loggedOf(refusal.method, refusal.path, refusal.answer));
      await this.calls.record(token, loggedOf(request.method, pathBelowDirectory(request), answer));
    } catch (error) {
      this.logger.warn({ message: 'A call was not logged.', cause: describeCause(error) });
    }
  }
}

function loggedOf(method: string, path: string, { status, body }: ScimAnswer) {
  const { scimType = null, detail = null } = (status >= 400 ? body : {}) as Record<string, string>;
  return { method, path, status, scimType, detail };
}
