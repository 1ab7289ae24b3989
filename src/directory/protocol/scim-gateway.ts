import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { READS } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { resemblesApiKey } from '../../platform/crypto/index.js';
import { AppError, describeCause, toAppError } from '../../platform/errors/index.js';
import { nameRoute } from '../../platform/observability/index.js';
import { RateLimits } from '../../platform/rate-limit/index.js';
import { bearerOf, headerValuesOf, requestIdOf } from '../../platform/web/index.js';
import { DirectoryClients } from '../directories/directory-clients.js';
import { DirectoryLog } from '../directories/directory-log.js';
import { DirectoryTokens, type VerifiedToken } from '../directories/directory-tokens.js';
import { TokenCreators } from '../directories/token-creators.js';
import { SCIM_LIMIT } from '../directory.limits.js';
import type { DirectoryScope } from '../records/record-lists.js';
import { ScimError } from '../scim/scim-error.js';
import { scimBodyOf } from './scim-body.js';
import { goneAfter, queryOf, refusalOf, type ScimAnswer, type ScimCall } from './scim-call.js';
import { ScimRouter } from './scim-router.js';
import { WriteTurns } from './write-turns.js';

const PREFIX = '/api/scim/v2/';
const MEDIA_TYPE = 'application/scim+json; charset=utf-8';
const LOGGED = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const REALM = { 'WWW-Authenticate': 'Bearer realm="gatehouse"' };

/**
 * Answers requests below `/api/scim/v2/`, which are no routes of the manifest: a token of a
 * directory authenticates them, and errors have the form of SCIM.
 */
@Injectable()
export class ScimGateway {
  private readonly logger = new Logger('Scim');

  constructor(
    private readonly tokens: DirectoryTokens,
    private readonly clients: DirectoryClients,
    private readonly creators: TokenCreators,
    private readonly router: ScimRouter,
    private readonly turns: WriteTurns,
    private readonly calls: DirectoryLog,
    private readonly limits: RateLimits,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  serves(path: string): boolean {
    return path.startsWith(PREFIX);
  }

  /** Authenticates and answers a request. Never throws. */
  async answer(request: Request, response: Response): Promise<void> {
    nameRoute(request, `${PREFIX}:directoryId`);
    const [directoryId = '', ...segments] = request.path
      .slice(PREFIX.length)
      .split('/')
      .filter((part, n) => n === 0 || part !== '');
    let scope: DirectoryScope | null = null;
    let answer: ScimAnswer;
    try {
      const token = await this.authenticate(request, response, directoryId);
      scope = token;
      await this.creators.requireWorking(token);
      answer = await this.route(
        {
          scope,
          method: request.method,
          segments: segments.map(decoded),
          query: queryOf(
            (name) => new URL(request.originalUrl, 'http://localhost').searchParams.get(name) ?? undefined,
          ),
          body: await scimBodyOf(request),
          ifMatch: headerOf(request, 'if-match'),
          ifNoneMatch: headerOf(request, 'if-none-match'),
          baseUrl: `${this.settings.PUBLIC_URL}${PREFIX}${directoryId}`,
          caller: {
            isGone: () => response.destroyed,
            beginOperation: async () => {
              await this.takeOperation(response, directoryId);
              await this.requireStillWorking(token, request.method);
            },
          },
        },
        token,
      );
    } catch (error) {
      answer = this.answerOf(error, request);
      request.resume(); // a body that was not read
    }
    if (scope !== null) await this.log(scope, request.method, segments, answer);
    send(response, answer);
  }

  /**
   * @throws {ScimError} 404 for a token of another directory: as for an unknown one
   * @throws {AppError} unauthenticated, too-many-requests
   */
  private async authenticate(
    request: Request,
    response: Response,
    directoryId: string,
  ): Promise<VerifiedToken> {
    const found = await this.findToken(request);
    if (found === null) {
      await this.limits.requireGeneral(request, response, READS.has(request.method));
      throw new AppError('unauthenticated');
    }
    await this.takeOperation(response, found.directoryId);
    if (found.directoryId !== directoryId) throw new ScimError(404, null, 'The resource does not exist.');
    requireUnarchived(found, request.method);
    return found;
  }

  /**
   * Asks again what was asked when the call came: while a write waits for its turn, and between the
   * operations of a bulk request, a token is revoked, or its creator removed.
   * @throws {AppError} unauthenticated
   * @throws {ScimError} 403 for an organization that is archived
   */
  private async requireStillWorking({ tokenId }: VerifiedToken, method: string): Promise<void> {
    const found = await this.tokens.findVerified(tokenId);
    if (found === null) throw new AppError('unauthenticated');
    requireUnarchived(found, method);
    await this.creators.requireWorking(found);
  }

  /** @throws {AppError} too-many-requests */
  private takeOperation(response: Response, directoryId: string): Promise<void> {
    return this.limits.require(SCIM_LIMIT, directoryId, response);
  }

  /** A misspelled token is refused without a statement. */
  private async findToken(request: Request): Promise<VerifiedToken | null> {
    const bearer = bearerOf(request);
    if (bearer === null || bearer.isBound) return null;
    const { token } = bearer;
    return resemblesApiKey(token) ? this.tokens.verify(token) : this.clients.verify(token);
  }

  /** Answers a call; one that writes, in its turn, unless its caller has gone by then. */
  private route(call: ScimCall, token: VerifiedToken): Promise<ScimAnswer> {
    const isRead = READS.has(call.method) || call.segments.at(-1) === '.search';
    if (isRead) return this.router.route(call);
    return this.turns.run(token.tenantId, async (hasWaited) => {
      if (call.caller.isGone()) return goneAfter(0, 1);
      if (hasWaited) await this.requireStillWorking(token, call.method);
      return this.router.route(call);
    });
  }

  private answerOf(thrown: unknown, request: Request): ScimAnswer {
    if (thrown instanceof ScimError) return { status: thrown.status, body: thrown.toBody() };
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

  /**
   * Stores the call for administrators, and each refused operation of a bulk request. Without the
   * log, the call is answered all the same.
   */
  private async log(
    scope: DirectoryScope,
    method: string,
    segments: readonly string[],
    answer: ScimAnswer,
  ): Promise<void> {
    if (!LOGGED.has(method)) return;
    try {
      for (const refusal of answer.refusals ?? [])
        await this.calls.record(scope, loggedOf(refusal.method, refusal.path, refusal.answer));
      await this.calls.record(scope, loggedOf(method, `/${segments.join('/')}`, answer));
    } catch (error) {
      this.logger.warn({ message: 'A call was not logged.', cause: describeCause(error) });
    }
  }
}

/** @throws {ScimError} 403 for a write of an archived organization */
function requireUnarchived({ isArchived }: VerifiedToken, method: string): void {
  if (isArchived && !READS.has(method))
    throw new ScimError(403, null, 'The organization is archived. Restore it first.');
}

function loggedOf(method: string, path: string, { status, body }: ScimAnswer) {
  const { scimType = null, detail = null } = (status >= 400 ? body : {}) as Record<string, string>;
  return { method, path, status, scimType, detail };
}

function send(response: Response, { status, body, headers = {} }: ScimAnswer): void {
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

function headerOf(request: Request, name: string): string | null {
  const values = headerValuesOf(request, name);
  return values.length === 0 ? null : values.join(',');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
