import { Injectable } from '@nestjs/common';
import { isHeldByOperator } from '../../ability/index.js';
import { MembershipDirectory } from '../../iam/index.js';
import { MachineAuthenticator } from '../../machine/index.js';
import { resemblesApiKey } from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { Bearer } from '../../platform/web/index.js';
import type { PersonPrincipal, Principal } from '../../kernel/index.js';
import { AccessTokenService } from './access-token.service.js';
import { DPOP_ALGS, DpopNonces, DpopProofs } from './dpop-proofs.js';
import { ACT } from '../impersonations/impersonation-events.js';
import { ClientStatus } from '../../client/index.js';
import { SessionLiveness } from '../sessions/session-liveness.js';
import type { VerifiedToken } from './verified-tokens.js';

/** What a proof of possession is about: the request, and its DPoP headers. */
export interface RequestToProve {
  readonly method: string;
  /** Address without query, as clients know it. */
  readonly url: string;
  readonly proofs: readonly string[];
}

/** Authenticates requests by their tokens. */
@Injectable()
export class Authenticator {
  constructor(
    private readonly accessTokens: AccessTokenService,
    private readonly liveness: SessionLiveness,
    private readonly directory: MembershipDirectory,
    private readonly clients: ClientStatus,
    private readonly machines: MachineAuthenticator,
    private readonly proofs: DpopProofs,
    private readonly nonces: DpopNonces,
  ) {}

  /**
   * Verifies the token, the liveness of the session, the client and the membership; and the proof
   * of the key that the token is bound to.
   * @param ipAddress of the client: a key can be limited to networks
   * @param readRequest called for a token that is bound to a key alone
   * @throws {AppError} unauthenticated; the error of the database if it cannot be reached
   */
  async authenticate(
    { token, isBound }: Bearer,
    ipAddress: string,
    readRequest: () => RequestToProve,
  ): Promise<Principal> {
    if (!isBound && resemblesApiKey(token)) return this.machines.authenticate(token, ipAddress);
    const { principal } = await this.readToken(token, ipAddress);
    const { jkt } = principal;
    if (isBound) await this.requireProof(jkt, token, readRequest());
    // A stolen token must not pass for one that is not bound (RFC 9449 section 7.2).
    else if (jkt !== undefined) throw unproven('invalid_token', 'The token is bound to a key. Send a proof.');
    return principal;
  }

  /**
   * Verifies a token as {@link authenticate} does, except the proof of its key.
   * @param ipAddress of the caller; null if that is not who the token was issued to
   * @returns the principal, and the times of the token
   * @throws {AppError} as {@link authenticate}
   */
  async readToken(token: string, ipAddress: string | null = null): Promise<VerifiedToken> {
    const verified = await this.accessTokens.read(token);
    await this.requireLive(verified.principal, ipAddress);
    return verified;
  }

  /**
   * Requires that what a verified token stands for has not ended since.
   * @param ipAddress of the caller; null if that is not who the token was issued to
   * @throws {AppError} as {@link authenticate}
   */
  async requireLive(principal: Principal, ipAddress: string | null): Promise<void> {
    if (principal.kind === 'machine') await this.machines.requireLive(principal, ipAddress);
    else await this.requireAlive(principal);
  }

  private async requireProof(
    jkt: string | undefined,
    accessToken: string,
    { method, url, proofs }: RequestToProve,
  ): Promise<void> {
    const verdict = await this.proofs.verify(proofs, { method, url, accessToken, needsNonce: false });
    if ('fault' in verdict) {
      // Libraries keep one nonce for each origin, and so send an old one of the token endpoint.
      const headers = verdict.fault === 'use_dpop_nonce' ? { 'DPoP-Nonce': this.nonces.current() } : {};
      throw unproven(verdict.fault, verdict.reason, headers);
    }
    if (verdict.jkt !== jkt)
      throw unproven('invalid_token', 'The token is not bound to the key of the proof.');
  }

  private async requireAlive(principal: PersonPrincipal): Promise<void> {
    if (!(await this.liveness.isAlive(principal))) {
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
    const { userId, tenantId, actorId, via } = principal;
    const actor = actorId === undefined ? null : await this.directory.findOperatorRights(actorId, false);
    if (actorId !== undefined && !isHeldByOperator(ACT, actor)) {
      throw new AppError('unauthenticated', {
        detail: 'You can no longer act as this person.',
        cause: 'actor is no operator',
      });
    }
    if (tenantId !== null && !(await this.directory.hasAccess(userId, tenantId, via))) {
      throw new AppError('unauthenticated', {
        detail:
          via === undefined
            ? 'You are no longer a member of the selected organization. Refresh the token to continue without it.'
            : 'You no longer have access to the selected organization by its partner. Refresh the token to continue without it.',
        cause: 'membership ended',
      });
    }
  }
}

/** Refuses a request whose proof is missing or wrong (RFC 9449 sections 7.1 and 9). */
const unproven = (error: string, detail: string, headers = {}): AppError =>
  new AppError('unauthenticated', {
    detail,
    headers,
    scheme: 'DPoP',
    challenge: `realm="gatehouse", error="${error}", algs="${DPOP_ALGS.join(' ')}"`,
    cause: error,
  });
