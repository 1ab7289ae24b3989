import { Injectable } from '@nestjs/common';
import { MembershipDirectory } from '../../iam/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { Principal } from '../../kernel/index.js';
import { AccessTokenService } from './access-token.service.js';
import { ClientStatus } from '../clients/client-status.js';
import { SessionLiveness } from '../sessions/session-liveness.js';

/** From an Authorization header to a principal. */
@Injectable()
export class Authenticator {
  constructor(
    private readonly accessTokens: AccessTokenService,
    private readonly liveness: SessionLiveness,
    private readonly directory: MembershipDirectory,
    private readonly clients: ClientStatus,
  ) {}

  /**
   * @param headers every Authorization header of the request; of two, a proxy may have looked at the other one
   * @throws {AppError} unauthenticated; the error of the database when it is out of reach
   */
  async authenticate(headers: readonly string[]): Promise<Principal> {
    const [authorization = ''] = headers;
    if (headers.length > 1) throw new AppError('unauthenticated', { cause: 'more than one header' });
    const [, token] = /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization) ?? [];
    if (token === undefined) throw new AppError('unauthenticated', { cause: 'not a bearer token' });
    const principal = await this.accessTokens.verify(token);
    if (!(await this.liveness.isAlive(principal.sessionId))) {
      throw new AppError('unauthenticated', {
        detail: 'The session has ended. Sign in again.',
        cause: 'session ended',
      });
    }
    if (!(await this.clients.isEnabled(principal.clientId))) {
      throw new AppError('unauthenticated', {
        detail: 'The property that this token was issued to has been disabled.',
        cause: 'client disabled',
      });
    }
    const { userId, tenantId } = principal;
    if (tenantId !== null && !(await this.directory.isMember(userId, tenantId))) {
      throw new AppError('unauthenticated', {
        detail:
          'You are not a member of the selected organization any more. Refresh the token to go on without it.',
        cause: 'membership ended',
      });
    }
    return principal;
  }
}
