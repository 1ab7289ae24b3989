import { Injectable } from '@nestjs/common';
import { AccountService } from '../../../iam/index.js';
import { fitsChallenge, hashOneTimeToken } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import type { Client } from '../../../platform/web/index.js';
import {
  AccountCodeRepository,
  FirstFactorService,
  LogoutService,
  requireGrant,
  TokenIssuer,
  type TokenResponse,
} from '../../../session/index.js';
import type { ExternalProof } from '../external-accounts.js';

/** A code, as the page that started the sign-in presents it. */
export interface PresentedCode {
  readonly code: string;
  readonly codeVerifier: string;
  /** Token of a trusted device. Hosted sign-in, which continues a session, ignores it. */
  readonly deviceToken?: string | undefined;
}

/**
 * Redeems authorization codes of external sign-ins. The page that started the flow redeems the code
 * with its PKCE verifier (RFC 7636), so that no tokens appear in its address.
 */
@Injectable()
export class ExternalCodeService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly codes: AccountCodeRepository,
    private readonly firstFactors: FirstFactorService,
    private readonly logouts: LogoutService,
    private readonly tokens: TokenIssuer,
  ) {}

  /**
   * Redeems a code: starts the session of the sign-in. A wrong verifier invalidates the code; reuse
   * of a redeemed code ends the session that it started.
   * @returns null for a code that is not valid
   * @throws {AppError} second-factor-required
   */
  async redeem(
    { code, codeVerifier, deviceToken }: PresentedCode,
    client: Client,
  ): Promise<TokenResponse | null> {
    const codeHash = hashOneTimeToken(code);
    const outcome = await this.database.transaction(async () => {
      const owner = await this.codes.findOwner('external', codeHash);
      if (owner === null) return null;
      await this.accounts.lockForUpdate(owner); // before the code: lock order
      const ended = await this.codes.findForUpdate<ExternalProof>('external', codeHash);
      if (!ended) return null;
      if (ended.isConsumed) return { reused: ended };
      const fits = ended.codeChallenge !== null && fitsChallenge(codeVerifier, ended.codeChallenge);
      const proof = { ...ended.content, method: ended.content.kind };
      const first = fits ? await this.firstFactors.proceedOf(owner, proof, client, deviceToken) : null;
      await this.codes.consume(codeHash, first?.grant?.sessionId ?? null);
      return first;
    });
    if (outcome === null) return null;
    if (!('reused' in outcome)) return this.tokens.issue(requireGrant(outcome));
    const { userId, sessionId } = outcome.reused;
    if (sessionId !== null) await this.logouts.endSessionAfterReuse({ userId, sessionId }, 'external-code');
    return null;
  }
}
