import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { describeCause, toAppError } from '../../platform/errors/index.js';
import { requestIdOf } from '../../platform/web/index.js';
import { refusalOf, type ScimAnswer } from './scim-call.js';
import { ScimError } from './scim-error.js';
import { ScimReplies } from './scim-calls.js';

const REALM = { 'WWW-Authenticate': 'Bearer realm="gatehouse"' };

/** Answers errors in the form of SCIM (RFC 7644 section 3.12), and logs them as any answer. */
@Catch()
@Injectable()
export class ScimExceptionFilter implements ExceptionFilter {
  private readonly logger = new Logger('Scim');

  constructor(private readonly replies: ScimReplies) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const answer = this.answerOf(thrown, request);
    request.resume(); // a body that was not read
    await this.replies.send(request, http.getResponse<Response>(), answer);
  }

  private answerOf(thrown: unknown, request: Request): ScimAnswer {
    if (thrown instanceof ScimError) return thrown.toAnswer();
    const error = toAppError(thrown);
    const answer = refusalOf(error);
    if (answer.status >= 500)
      this.logger.error({
        requestId: requestIdOf(request),
        code: error.code,
        cause: describeCause(error.cause),
      });
    return answer.status === 401 ? { ...answer, headers: { ...REALM, ...answer.headers } } : answer;
  }
}
