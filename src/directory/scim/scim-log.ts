import { Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { describeCause } from '../../platform/errors/index.js';
import { DirectoryLog } from '../directories/directory-log.js';
import { directoryTokenOf } from './directory-access.js';
import type { ScimAnswer } from './scim-call.js';
import { pathBelowDirectory } from './scim-path.js';

const LOGGED = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Stores the calls of directories for administrators. */
@Injectable()
export class ScimLog {
  private readonly logger = new Logger('Scim');

  constructor(private readonly calls: DirectoryLog) {}

  /**
   * Stores a call that was authenticated, and each refused operation of a bulk request. Without the
   * log, the call is answered all the same.
   */
  async record(request: Request, answer: ScimAnswer): Promise<void> {
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
