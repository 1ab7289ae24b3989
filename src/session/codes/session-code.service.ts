import { Injectable } from '@nestjs/common';
import { AuthenticationCheck } from '../../ability/index.js';
import { AuditTrail } from '../../iam/index.js';
import {
  type Acr,
  type AuthenticationNeed,
  FIRST_PARTY_CLIENT,
  type PersonPrincipal,
} from '../../kernel/index.js';
import { createOneTimeToken, fitsChallenge, hashOneTimeToken } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { GrantService } from '../grants/grant.service.js';
import { LogoutService, type Reuse } from '../sessions/logout.service.js';
import { TokenIssuer } from '../tokens/token-issuer.js';
import type { TokenResponse } from '../tokens/token.response.js';
import { SessionCodeRepository } from './session-code.repository.js';

/** Lifetime of a code (ASVS 10.4.3, CODE-4). A redirect takes one or two seconds. */
export const SESSION_CODE_LIFETIME_SECONDS = 60;

/** A further client of a session, and where its code is sent. */
export interface JoiningClient {
  /** Null for the first-party client. */
  readonly clientId: string | null;
  /** Address that the caller has checked. */
  readonly redirectUri: string;
  readonly codeChallenge: string;
  /** Sign-in that the client asks for. */
  readonly need: AuthenticationNeed;
}

/** A presented code, and how its exchange and a second one are recorded. */
export interface PresentedCode {
  readonly code: string;
  readonly codeVerifier: string;
  /** Null for the first-party client. */
  readonly clientId: string | null;
  readonly event: {
    readonly action: string;
    /** By default the session. */
    readonly subject?: string;
  };
  readonly reuse: Reuse;
}

/**
 * Issues and exchanges one-time codes by which a further client joins a session: a satellite, or an
 * app after a hosted sign-in (RFC 7636, CODE-1 to CODE-7).
 */
@Injectable()
export class SessionCodeService {
  constructor(
    private readonly database: Database,
    private readonly codes: SessionCodeRepository,
    private readonly grants: GrantService,
    private readonly logouts: LogoutService,
    private readonly tokens: TokenIssuer,
    private readonly audit: AuditTrail,
    private readonly authentication: AuthenticationCheck,
  ) {}

  /**
   * Issues a code for the caller's session and selected tenant.
   * @throws {AppError} unauthenticated if the session has ended; insufficient-user-authentication
   */
  async issue(caller: PersonPrincipal, { need, ...client }: JoiningClient): Promise<string> {
    await this.authentication.requireOwnProof(caller, caller.tenantId);
    await this.authentication.require(caller, need);
    const { plainToken, tokenHash } = createOneTimeToken();
    const { sessionId, userId, tenantId } = caller;
    const code = { sessionId, userId, tenantId, ...client };
    const issued = await this.codes.insert(tokenHash, code, SESSION_CODE_LIFETIME_SECONDS);
    if (!issued) throw new AppError('unauthenticated');
    return plainToken;
  }

  /**
   * Exchanges a code for tokens of the session in which it was issued. Consumes the code, for one
   * caller only, and checks the verifier last: a wrong verifier burns the code, because an attacker
   * may have it (CODE-2). A second exchange ends the session (CODE-3).
   * @returns null alike for an unknown, used or expired code, another client's, and one of an ended
   * session
   */
  async exchange(presented: PresentedCode): Promise<TokenResponse | null> {
    const { code, codeVerifier, clientId, event, reuse } = presented;
    const codeHash = hashOneTimeToken(code);
    const issued = await this.codes.findAlive(codeHash, clientId);
    if (!issued) return null;
    const { sessionId, userId, tenantId } = issued;
    const grant = await this.database.transaction(async () => {
      const alive = await this.grants.lockSessionForShare(sessionId);
      if (!(await this.codes.consume(codeHash))) return 'reused';
      if (!alive || !fitsChallenge(codeVerifier, issued.codeChallenge)) return null;
      await this.audit.record({ actorId: userId, subject: `iam/sessions/${sessionId}`, ...event });
      return this.grants.createGrant(sessionId, clientId ?? FIRST_PARTY_CLIENT, tenantId);
    });
    if (grant === 'reused') await this.logouts.endSessionAfterReuse(issued, reuse);
    return grant === 'reused' || grant === null ? null : this.tokens.issue(grant);
  }
}

/** Returns the need of a request that may ask for a strength, an age, both or neither. */
export function needOf({
  acr,
  maxAge,
}: {
  readonly acr?: Acr | undefined;
  readonly maxAge?: number | undefined;
}): AuthenticationNeed {
  return { ...(acr !== undefined && { acr }), ...(maxAge !== undefined && { maxAge }) };
}
