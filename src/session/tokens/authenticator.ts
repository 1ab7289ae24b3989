import { Injectable } from '@nestjs/common';
import { MembershipDirectory } from '../../iam/index.js';
import { MachineAuthenticator } from '../../machine/index.js';
import { resemblesApiKey } from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { Principal } from '../../kernel/index.js';
import { GrantLiveness } from '../grants/grant-liveness.js';
import { AccessTokenService } from './access-token.service.js';
import { ClientStatus } from '../clients/client-status.js';
import { SessionLiveness } from '../sessions/session-liveness.js';

/** Authenticates requests by their Authorization header. */
@Injectable()
export class Authenticator {
  constructor(
    private readonly accessTokens: AccessTokenService,
    private readonly liveness: SessionLiveness,
    private readonly grants: GrantLiveness,
    private readonly directory: MembershipDirectory,
    private readonly clients: ClientStatus,
    private readonly machines: MachineAuthenticator,
  ) {}

  /**
   * Verifies the token, the liveness of the session, the client and the membership.
   * @param headers all Authorization headers of the request; more than one is refused, because a
   *   proxy may have checked the other
   * @param ipAddress of the client: a key can be limited to networks
   * @throws {AppError} unauthenticated; the error of the database if it cannot be reached
   */
  async authenticate(headers: readonly string[], ipAddress: string): Promise<Principal> {
    const [authorization = ''] = headers;
    if (headers.length > 1) throw new AppError('unauthenticated', { cause: 'more than one header' });
    const [, token] = /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization) ?? [];
    if (token === undefined) throw new AppError('unauthenticated', { cause: 'not a bearer token' });
    if (resemblesApiKey(token)) return this.machines.authenticate(token, ipAddress);
    const principal = await this.accessTokens.verify(token);
    if (principal.kind === 'machine') {
      await this.machines.requireLive(principal);
      return principal;
    }
    const isAlive =
      (await this.liveness.isAlive(principal.sessionId)) &&
      (principal.grantedScopes === undefined || (await this.grants.isAlive(principal.grantId)));
    if (!isAlive) {
      throw new AppError('unauthenticated', {
        detail: 'The session has ended. Sign in again.',
        cause: 'session ended',
      });
    }
    if (!(await this.clients.isEnabled(principal.clientId))) {
      throw new AppError('unauthenticated', {
        detail: 'The client that this token was issued to has been disabled.',
        cause: 'client disabled',
      });
    }
    const { userId, tenantId } = principal;
    if (tenantId !== null && !(await this.directory.isMember(userId, tenantId))) {
      throw new AppError('unauthenticated', {
        detail:
          'You are no longer a member of the selected organization. Refresh the token to continue without it.',
        cause: 'membership ended',
      });
    }
    return principal;
  }
}
