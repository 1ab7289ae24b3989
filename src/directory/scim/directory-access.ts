import type { Request, Response } from 'express';
import { Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { READS } from '../../kernel/index.js';
import { resemblesApiKey } from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import { RateLimits } from '../../platform/rate-limit/index.js';
import { bearerOf } from '../../platform/web/index.js';
import { DirectoryClients } from '../directories/directory-clients.js';
import { DirectoryTokenCheck } from '../directories/directory-token-check.js';
import type { VerifiedToken } from '../directories/directory-token.repository.js';
import { SCIM_LIMIT } from '../directory.declarations.js';
import { ScimError } from './scim-error.js';

/** Opens the routes of a controller to tokens of the directory in the path, and to no others. */
export const ByDirectory = Reflector.createDecorator<true>();

const TOKEN = Symbol('directoryToken');
type ByToken = Request & { [TOKEN]?: VerifiedToken };

/** Returns the verified token of a request; undefined before it is authenticated. */
export const directoryTokenOf = (request: Request): VerifiedToken | undefined => (request as ByToken)[TOKEN];

/** Authenticates requests of directories, and counts them in the bucket of the directory. */
@Injectable()
export class DirectoryAccess {
  constructor(
    private readonly tokens: DirectoryTokenCheck,
    private readonly clients: DirectoryClients,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Authenticates a request by a token of the directory that its path names.
   * @throws {ScimError} 404 for a token of another directory: as for an unknown one; 403 for a
   *   write of an archived organization
   * @throws {AppError} unauthenticated, too-many-requests
   */
  async authenticate(request: Request, response: Response): Promise<void> {
    const token = await this.findToken(request);
    if (token === null) {
      await this.limits.requireGeneral(request, response, READS.has(request.method));
      throw new AppError('unauthenticated');
    }
    await this.takeOperation(response, token);
    if (token.directoryId !== request.params['directoryId'])
      throw new ScimError(404, null, 'The resource does not exist.');
    requireUnarchived(token, request.method);
    (request as ByToken)[TOKEN] = token;
    await this.tokens.requireWorking(token);
  }

  /**
   * Asks again what was asked when the call came: while a write waits for its turn, and between the
   * operations of a bulk request, a token is revoked, or its creator removed.
   * @throws {AppError} unauthenticated
   * @throws {ScimError} 403 for an organization that is archived
   */
  async requireStillWorking({ tokenId }: VerifiedToken, method: string): Promise<void> {
    const token = await this.tokens.findVerified(tokenId);
    if (token === null) throw new AppError('unauthenticated');
    requireUnarchived(token, method);
    await this.tokens.requireWorking(token);
  }

  /** @throws {AppError} too-many-requests */
  takeOperation(response: Response, { directoryId }: VerifiedToken): Promise<void> {
    return this.limits.require(SCIM_LIMIT, directoryId, response);
  }

  /** A misspelled token is refused without a statement. */
  private async findToken(request: Request): Promise<VerifiedToken | null> {
    const bearer = bearerOf(request);
    if (bearer === null || bearer.isBound) return null;
    const { token } = bearer;
    return resemblesApiKey(token) ? this.tokens.verify(token) : this.clients.verify(token);
  }
}

/** @throws {ScimError} 403 for a write of an archived organization */
function requireUnarchived({ isArchived }: VerifiedToken, method: string): void {
  if (isArchived && !READS.has(method))
    throw new ScimError(403, null, 'The organization is archived. Restore it first.');
}

/** Path of the controllers of SCIM, below which each directory has its base address. */
export const SCIM_PATH = 'api/scim/v2/:directoryId';

const PREFIX = '/api/scim/v2/';

/** Removes empty segments: providers join the base address and a path with two slashes. */
export function mendScimPath(request: Request): void {
  const { path, url } = request;
  if (!path.startsWith(PREFIX) || !path.includes('//')) return;
  request.url = path.replaceAll(/\/{2,}/g, '/') + url.slice(path.length);
}

/** Returns the path of a request below the base address of its directory. */
export function pathBelowDirectory({ path }: Request): string {
  const [, ...segments] = path.slice(PREFIX.length).split('/');
  return `/${segments.filter((segment) => segment !== '').join('/')}`;
}
