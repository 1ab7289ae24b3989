import { Injectable } from '@nestjs/common';
import { AuditTrail, findImpersonator } from '../../iam/index.js';
import { FIRST_PARTY_CLIENT, type UserId } from '../../kernel/index.js';
import { CODE_VERIFIER, fitsChallenge, hashOneTimeToken, isSameText } from '../../platform/crypto/index.js';
import { Database, Primary, TurnBatch } from '../../platform/database/index.js';
import type { GrantView, NewGrant } from '../grants/grant.repository.js';
import { GrantService } from '../grants/grant.service.js';
import type { JoiningPurpose } from './one-time-code.entity.js';
import { type TakenCode, OneTimeCodeRepository } from './one-time-code.repository.js';

/** What a client presents to exchange a code. */
export interface PresentedCode {
  readonly purpose: JoiningPurpose;
  readonly code: string;
  readonly codeVerifier: string;
  /** Null for the first-party client. */
  readonly clientId: string | null;
  /** Must be that of the code (RFC 6749 section 4.1.3); null if the protocol compares none. */
  readonly redirectUri: string | null;
  /** Key that the client has proved; null without a proof. */
  readonly jkt: string | null;
  /** How the exchange is recorded. */
  readonly event: {
    readonly action: string;
    /** By default the session. */
    readonly subject?: string;
  };
}

/** A code that was consumed before. */
export interface ReusedCode extends TakenCode {
  /** Whether verifier, redirect URI and key are right this time. */
  readonly isProven: boolean;
}

/** What is wrong with the presentation of a code that would be accepted. */
export type CodeFault =
  'verifier-unexpected' | 'verifier-malformed' | 'verifier-wrong' | 'redirect-uri' | 'key';

/** The grant that a code gave, with the nonce of its request, or why it gave none. */
export type Exchanged =
  | { readonly grant: GrantView; readonly nonce: string | null }
  | { readonly reused: ReusedCode }
  | { readonly fault: CodeFault }
  | 'refused';

/** A presented code, with what belongs to its own request. */
interface Exchange extends PresentedCode {
  readonly codeHash: Buffer;
  readonly impersonatorId: UserId | null;
}

/** A code that gives a grant. */
interface AcceptedCode extends TakenCode {
  readonly presented: Exchange;
}

/**
 * Gives further clients of sessions grants for their codes: satellites, apps after a hosted sign-in
 * and clients of OpenID Connect (RFC 6749 section 4.1.3, RFC 7636, CODE-1 to CODE-7).
 */
@Injectable()
export class CodeExchange {
  private readonly batch = new TurnBatch<Exchange, Exchanged>((all, waits) => this.exchangeAll(all, waits));

  constructor(
    private readonly database: Database,
    private readonly codes: OneTimeCodeRepository,
    private readonly grants: GrantService,
    private readonly audit: AuditTrail,
    private readonly primary: Primary,
  ) {}

  /**
   * Consumes a code for one caller only, whether or not verifier, redirect URI and key are right: a
   * wrong one burns the code, because an attacker may have it. Gives the client a grant if they are
   * and the session is alive. Not for a transaction.
   * @returns refused alike for an unknown or expired code, another client's, and one of an ended
   *   session
   * @throws {AppError} unavailable for an unknown code, if the server may be a former primary: that
   *   does not know the newest codes
   */
  async exchange(presented: PresentedCode): Promise<Exchanged> {
    const codeHash = hashOneTimeToken(presented.code);
    const exchange = { ...presented, codeHash, impersonatorId: findImpersonator() };
    const exchanged = await this.batch.ask(exchange);
    if (exchanged) return exchanged;
    await this.primary.confirmRead();
    return 'refused';
  }

  /**
   * Exchanges codes of one turn of the event loop in one transaction: usually one.
   * @param waits whether to wait for other transactions; leaves out what they hold otherwise
   * @returns the results by the indexes of the codes; nothing happened to those without one
   */
  private exchangeAll(all: readonly Exchange[], waits: boolean): Promise<(Exchanged | undefined)[]> {
    return this.database.transaction(async () => {
      // Find, and consume: for one caller only.
      const codes = await this.codes.takeForUpdate(all, waits);

      // Check.
      const results: (Exchanged | undefined)[] = [];
      const accepted: AcceptedCode[] = [];
      for (const code of codes) {
        const presented = all[code.index] as Exchange;
        const fault = findFault(presented, code);
        if (code.isUsed) results[code.index] = { reused: { ...code, isProven: fault === null } };
        else if (!code.isSessionAlive) results[code.index] = 'refused';
        else if (fault !== null) results[code.index] = { fault };
        else accepted.push({ ...code, presented });
      }

      // Write.
      const grants = await this.grants.createGrants(accepted.map(grantOf));
      await this.audit.record(...accepted.map(eventOf));

      // Answer.
      for (const { index, grantId, nonce } of accepted)
        results[index] = { grant: grants.get(grantId) as GrantView, nonce };
      return results;
    });
  }
}

/** Returns which of verifier, redirect URI and key is not the code's; null if all are. */
function findFault({ codeVerifier, redirectUri, jkt }: Exchange, code: TakenCode): CodeFault | null {
  const ofVerifier = findVerifierFault(codeVerifier, code.codeChallenge);
  if (ofVerifier !== null) return ofVerifier;
  if (redirectUri !== null && !isSameText(redirectUri, code.redirectUri)) return 'redirect-uri';
  return code.dpopJkt === null || code.dpopJkt === jkt ? null : 'key';
}

function findVerifierFault(codeVerifier: string, codeChallenge: string): CodeFault | null {
  // An attacker has removed the challenge from the request (RFC 9700 section 4.8.2).
  if (codeChallenge === '') return codeVerifier === '' ? null : 'verifier-unexpected';
  // Another text proves nothing, although it has a challenge.
  if (!CODE_VERIFIER.test(codeVerifier)) return 'verifier-malformed';
  return fitsChallenge(codeVerifier, codeChallenge) ? null : 'verifier-wrong';
}

const grantOf = ({
  grantId,
  sessionId,
  userId,
  tenantId,
  scopes,
  presented: { clientId, jkt },
}: AcceptedCode): NewGrant => ({
  id: grantId,
  sessionId,
  userId,
  clientId: clientId ?? FIRST_PARTY_CLIENT,
  tenantId,
  grantedScopes: scopes,
  dpopJkt: jkt,
});

const eventOf = ({ userId, sessionId, presented: { event, impersonatorId } }: AcceptedCode) => ({
  actorId: userId,
  subject: `iam/sessions/${sessionId}`,
  impersonatorId,
  ...event,
});
