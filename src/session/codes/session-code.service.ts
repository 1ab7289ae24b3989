import { Injectable } from '@nestjs/common';
import { AuthenticationCheck } from '../../ability/index.js';
import type { Acr, AuthenticationNeed, PersonPrincipal, UserId } from '../../kernel/index.js';
import { createOneTimeToken } from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import { LogoutService, type Reuse } from '../sessions/logout.service.js';
import { TokenIssuer } from '../tokens/token-issuer.js';
import type { TokenResponse } from '../tokens/token.dto.js';
import { CodeExchange, type PresentedCode } from './code-exchange.service.js';
import { type NewCode, OneTimeCodeRepository } from './one-time-code.repository.js';

/** A satellite or app that joins a session, and where its code is sent. */
interface JoiningClient extends Pick<NewCode, 'clientId' | 'redirectUri' | 'codeChallenge'> {
  readonly purpose: 'satellite' | 'hosted';
  /** Sign-in that the client asks for. */
  readonly need: AuthenticationNeed;
}

/** Issues one-time codes by which further clients join a session, and exchanges them for tokens. */
@Injectable()
export class SessionCodeService {
  constructor(
    private readonly codes: OneTimeCodeRepository,
    private readonly exchanges: CodeExchange,
    private readonly logouts: LogoutService,
    private readonly tokens: TokenIssuer,
    private readonly authentication: AuthenticationCheck,
  ) {}

  /**
   * Issues a code for the caller's session and selected tenant.
   * @throws {AppError} unauthenticated if the session has ended; insufficient-user-authentication
   */
  async issue(caller: PersonPrincipal, { need, ...client }: JoiningClient): Promise<string> {
    await this.authentication.requireOwnProof(caller, caller.tenantId);
    await this.authentication.require(caller, need);
    const { sessionId, tenantId } = caller;
    return this.create({ ...client, sessionId, tenantId, scopes: null, nonce: null, dpopJkt: null });
  }

  /**
   * Creates a code. Joins the open transaction.
   * @throws {AppError} unauthenticated if the session has ended
   */
  async create(code: NewCode): Promise<string> {
    const { plainToken, tokenHash } = createOneTimeToken();
    if (!(await this.codes.insert(tokenHash, code))) throw new AppError('unauthenticated');
    return plainToken;
  }

  /** Voids the codes that a person has given a client. Joins the open transaction. */
  withdraw(userId: UserId, clientId: string): Promise<void> {
    return this.codes.deleteOfPerson(userId, clientId);
  }

  /**
   * Exchanges a code for tokens of the session in which it was issued. A second exchange within the
   * minute of the code ends the session (CODE-3).
   * @returns null if the code is refused
   */
  async redeem(
    presented: Omit<PresentedCode, 'redirectUri' | 'jkt'>,
    reuse: Reuse,
  ): Promise<TokenResponse | null> {
    const exchanged = await this.exchanges.exchange({ ...presented, redirectUri: null, jkt: null });
    if (exchanged === 'refused' || 'fault' in exchanged) return null;
    if ('grant' in exchanged) return this.tokens.issue(exchanged.grant);
    await this.logouts.endSessionAfterReuse(exchanged.reused, reuse);
    return null;
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
