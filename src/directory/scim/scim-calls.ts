import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { READS } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { AppError } from '../../platform/errors/index.js';
import { headerValuesOf } from '../../platform/web/index.js';
import type { VerifiedToken } from '../directories/directory-tokens.js';
import { DirectoryAccess, directoryTokenOf } from './directory-access.js';
import { scimBodyOf } from './scim-body.js';
import { goneAfter, queryOf, type ScimAnswer, type ScimCall } from './scim-call.js';
import { ScimLog } from './scim-log.js';
import { sendScim } from './scim-response.js';
import { WriteTurns } from './write-turns.js';

/** Answers authenticated calls of directories. Errors are for {@link ScimExceptionFilter}. */
@Injectable()
export class ScimCalls {
  constructor(
    private readonly access: DirectoryAccess,
    private readonly turns: WriteTurns,
    private readonly calls: ScimLog,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Reads the call, runs it, logs it and sends the answer.
   * @param run answers the call; one that writes, in its turn, unless its caller has gone by then
   * @throws {ScimError} 400 for query or body, 413, 415
   */
  async answer(
    request: Request,
    response: Response,
    run: (call: ScimCall) => Promise<ScimAnswer>,
  ): Promise<void> {
    const token = directoryTokenOf(request);
    if (!token) throw new AppError('unauthenticated');
    const call = await this.callOf(request, response, token);
    const isRead = READS.has(request.method) || request.path.endsWith('/.search');
    const answer = isRead
      ? await run(call)
      : await this.turns.run(token.tenantId, async (hasWaited) => {
          if (call.caller.isGone()) return goneAfter(0, 1);
          if (hasWaited) await this.access.requireStillWorking(token, request.method);
          return run(call);
        });
    await this.calls.record(request, answer);
    sendScim(response, answer);
  }

  private async callOf(request: Request, response: Response, token: VerifiedToken): Promise<ScimCall> {
    const { searchParams } = new URL(request.originalUrl, 'http://localhost');
    return {
      scope: token,
      query: queryOf((name) => searchParams.get(name) ?? undefined),
      body: await scimBodyOf(request),
      ifMatch: headerOf(request, 'if-match'),
      ifNoneMatch: request.method === 'GET' ? headerOf(request, 'if-none-match') : null,
      baseUrl: `${this.settings.PUBLIC_URL}/api/scim/v2/${token.directoryId}`,
      caller: {
        isGone: () => response.destroyed,
        beginOperation: async () => {
          await this.access.takeOperation(response, token);
          await this.access.requireStillWorking(token, request.method);
        },
      },
    };
  }
}

function headerOf(request: Request, name: string): string | null {
  const values = headerValuesOf(request, name);
  return values.length === 0 ? null : values.join(',');
}
