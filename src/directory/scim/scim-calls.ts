import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AppError, describeCause, toAppError } from '../../platform/errors/index.js';
import { DirectoryLogRepository } from '../directories/directory-log.repository.js';
import { DirectoryAccess, directoryTokenOf, pathBelowDirectory } from './directory-access.js';
import { goneAfter, queryOf, type ScimAnswer, type ScimCall } from './scim-call.js';
import { Counts, type Tally } from '../../platform/counts/index.js';
import { READS, type TenantId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { headerValuesOf, parseJson, readBody } from '../../platform/web/index.js';
import type { VerifiedToken } from '../directories/directory-token.repository.js';
import { MAX_BODY_BYTES } from './discovery.js';
import { ScimError } from './scim-error.js';

const MEDIA_TYPE = 'application/scim+json; charset=utf-8';
const LOGGED = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Ends of calls: 2xx, 4xx, 5xx. */
const ENDS = ['done', 'refused', 'failed'] as const;

/** Sends the answers to directories, and stores the calls for administrators. */
@Injectable()
export class ScimReplies {
  private readonly logger = new Logger('Scim');
  private readonly ends: Tally<(typeof ENDS)[number]>;

  constructor(
    private readonly calls: DirectoryLogRepository,
    counts: Counts,
  ) {
    this.ends = counts.tally({
      name: 'scim',
      values: ENDS,
      metric: {
        name: 'gatehouse_scim_requests_total',
        help: 'Authenticated SCIM requests of directories, by outcome: "refused" for 4xx, "failed" for 5xx.',
        label: 'outcome',
      },
    });
  }

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
    const { tenantId, directoryId: source } = token;
    this.ends.count(endOf(answer), { tenantId, source });
    try {
      for (const refusal of answer.refusals ?? [])
        await this.calls.record(token, loggedOf(refusal.method, refusal.path, refusal.answer));
      await this.calls.record(token, loggedOf(request.method, pathBelowDirectory(request), answer));
    } catch (error) {
      this.logger.warn({ message: 'A call was not logged.', cause: describeCause(error) });
    }
  }
}

function endOf({ status }: ScimAnswer): (typeof ENDS)[number] {
  if (status < 400) return 'done';
  return status < 500 ? 'refused' : 'failed';
}

function loggedOf(method: string, path: string, { status, body }: ScimAnswer) {
  const { scimType = null, detail = null } = (status >= 400 ? body : {}) as Record<string, string>;
  return { method, path, status, scimType, detail };
}

/**
 * Writes of one organization that run at once. They wait for its lock one after the other: two keep
 * it in use, and more would only occupy connections of the pool.
 */
const MAX_RUNNING = 2;
/** Writes of one organization that wait for their turn. */
const MAX_WAITING = 100;

interface Turns {
  running: number;
  readonly waiting: (() => void)[];
}

/** Lets the directories of an organization write in turns, before they take a connection. */
@Injectable()
export class WriteTurns {
  /** Organizations whose directories write now. */
  private readonly turns = new Map<TenantId, Turns>();

  /**
   * @param write is told whether it has waited: what was asked before may not be so any more
   * @throws {AppError} too-many-requests if too many writes wait
   */
  async run<T>(tenantId: TenantId, write: (hasWaited: boolean) => Promise<T>): Promise<T> {
    const turns = this.turns.get(tenantId) ?? { running: 0, waiting: [] };
    this.turns.set(tenantId, turns);
    const hasWaited = await this.begin(turns);
    try {
      return await write(hasWaited);
    } finally {
      this.end(tenantId, turns);
    }
  }

  /** @returns whether it has waited */
  private begin(turns: Turns): Promise<boolean> {
    if (turns.running < MAX_RUNNING) {
      turns.running += 1;
      return Promise.resolve(false);
    }
    if (turns.waiting.length >= MAX_WAITING)
      throw new AppError('too-many-requests', { retryAfterSeconds: 1 });
    return new Promise((resolve) => turns.waiting.push(() => resolve(true)));
  }

  /** Passes the turn on, or frees it. */
  private end(tenantId: TenantId, turns: Turns): void {
    const next = turns.waiting.shift();
    if (next) return next();
    turns.running -= 1;
    if (turns.running === 0) this.turns.delete(tenantId);
  }
}

const BODY_TYPE = /^application\/(?:scim\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** Answers authenticated calls of directories. Errors are for {@link ScimExceptionFilter}. */
@Injectable()
export class ScimCalls {
  constructor(
    private readonly access: DirectoryAccess,
    private readonly turns: WriteTurns,
    private readonly replies: ScimReplies,
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
    await this.replies.send(request, response, answer);
  }

  private async callOf(request: Request, response: Response, token: VerifiedToken): Promise<ScimCall> {
    const { searchParams } = new URL(request.originalUrl, 'http://localhost');
    return {
      scope: token,
      query: queryOf((name) => searchParams.get(name) ?? undefined),
      body: await bodyOf(request),
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

/**
 * Reads a body of at most 1 MiB.
 * @returns undefined without one
 * @throws {ScimError} 400 invalidSyntax, 413, 415
 */
async function bodyOf(request: Request): Promise<unknown> {
  const { 'content-type': type, 'content-encoding': encoding = 'identity' } = request.headers;
  const body = await readBody(request, MAX_BODY_BYTES).catch((error: unknown) => {
    const { code } = toAppError(error);
    if (code === 'payload-too-large') throw new ScimError(413, null, 'The body is larger than 1 MiB.');
    throw error;
  });
  if (body.length === 0) return undefined;
  if (!BODY_TYPE.test(type ?? '') || encoding.toLowerCase() !== 'identity')
    throw new ScimError(415, null, 'The body must be application/scim+json or application/json, in UTF-8.');
  try {
    return parseJson(body);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = error.violations?.[0]?.message;
    throw new ScimError(400, 'invalidSyntax', typeof message === 'string' ? message : error.detail);
  }
}
