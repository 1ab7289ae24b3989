import { Injectable } from '@nestjs/common';
import {
  createOneTimeToken,
  fitsChallenge,
  hashOneTimeToken,
  KeyDerivation,
  Sealer,
} from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { PersonPrincipal, SessionId, UserId } from '../../kernel/index.js';
import { SignInError } from '../providers/provider.js';
import { AccountCodeRepository, SessionLock } from '../../session/index.js';
import { IdentityLinks } from './identity-links.js';
import type { ProvenIdentity } from './proven-identity.js';

/** Person and session that started to link an identity. */
export interface LinkBeginner {
  readonly userId: UserId;
  /** Null if the session that proves the account does not exist yet. */
  readonly sessionId: SessionId | null;
}

/** An identity whose account has to be proven, sealed with what binds it. */
interface AwaitedIdentity extends ProvenIdentity {
  /** Challenge of the tab that started the flow. */
  readonly codeChallenge: string;
  /** Time from which on a sign-in proves the account, in milliseconds. */
  readonly issuedAt: number;
}

/** Long enough for the page that started the flow to load and redeem the code. */
const LINK_CODE_LIFETIME_SECONDS = 60;
/** Time to sign in to the account that an identity is to be linked to. */
const PROOF_LIFETIME_SECONDS = 600;

/**
 * Issues and consumes link codes. The callback proves who signed in at the provider, and not whose
 * browser it is: the identity is linked only when the session that started the flow redeems the
 * code (ADR 15).
 */
@Injectable()
export class LinkCodeService {
  private readonly sealer: Sealer;

  constructor(
    private readonly codes: AccountCodeRepository,
    private readonly sessions: SessionLock,
    private readonly links: IdentityLinks,
    keys: KeyDerivation,
  ) {
    this.sealer = new Sealer(keys, 'external-link-code');
  }

  /**
   * Stores a proven identity for a minute. Joins the open transaction, and locks account and
   * session.
   * @returns the code
   * @throws {SignInError} link_refused if the session has ended; identity_taken if the identity
   *   belongs to another account
   */
  async issue(beginner: LinkBeginner & { sessionId: SessionId }, identity: ProvenIdentity): Promise<string> {
    if (!(await this.sessions.lockForShare(beginner))) throw new SignInError('link_refused');
    await this.links.requireNotTaken(beginner.userId, identity);
    return this.insert(beginner, identity, LINK_CODE_LIFETIME_SECONDS);
  }

  /**
   * Stores an identity until its person has proven the account by a sign-in to it. The code is
   * bound to the account, the identity, and by the challenge to the tab. Joins the open
   * transaction.
   * @returns the code
   */
  async issueForProof(userId: UserId, identity: ProvenIdentity, codeChallenge: string): Promise<string> {
    const awaited: AwaitedIdentity = { ...identity, codeChallenge, issuedAt: Date.now() };
    return this.insert({ userId, sessionId: null }, awaited, PROOF_LIFETIME_SECONDS);
  }

  /**
   * Consumes a code of {@link issueForProof}, as {@link consume} does.
   * @throws {AppError} validation-error on `code`, also for a wrong verifier, and for a caller
   *   whose sign-in is older than the code
   */
  async consumeAfterProof(
    code: string,
    { userId, authTime }: PersonPrincipal,
    codeVerifier: string,
  ): Promise<ProvenIdentity> {
    const { codeChallenge, issuedAt, ...identity } = await this.take<AwaitedIdentity>(code, {
      userId,
      sessionId: null,
    });
    // Tokens hold whole seconds.
    const isProven = authTime.getTime() + 1_000 > issuedAt;
    if (!isProven || !fitsChallenge(codeVerifier, codeChallenge)) throw invalidLinkCode();
    return identity;
  }

  /**
   * Consumes a code and returns its identity. Joins the open transaction: a rollback restores the
   * code.
   * @throws {AppError} validation-error on `code`; the same for a code of another session, which is
   * not consumed
   */
  consume(code: string, beginner: LinkBeginner): Promise<ProvenIdentity> {
    return this.take(code, beginner);
  }

  private async insert(
    { userId, sessionId }: LinkBeginner,
    identity: ProvenIdentity,
    lifetimeSeconds: number,
  ): Promise<string> {
    const { plainToken, tokenHash } = createOneTimeToken();
    const content = this.sealer.seal(JSON.stringify(identity));
    const code = { userId, sessionId, codeChallenge: null, content };
    await this.codes.insert('link', tokenHash, code, lifetimeSeconds);
    return plainToken;
  }

  private async take<Identity extends ProvenIdentity>(
    code: string,
    { userId, sessionId }: LinkBeginner,
  ): Promise<Identity> {
    const sealed = await this.codes.take<string>('link', hashOneTimeToken(code), userId, sessionId);
    if (sealed === null) throw invalidLinkCode();
    return JSON.parse(this.sealer.open(sealed)) as Identity;
  }
}

/** Same error for an unknown code, an expired code, and a code of another session. */
export const invalidLinkCode = (): AppError =>
  AppError.violation(
    'code',
    'The code is invalid, used, expired, or of another session. Start linking again.',
  );
