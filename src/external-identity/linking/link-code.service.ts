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
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import type { Kind, ProvenProfile } from '../providers/provider.js';
import { LinkCodeRepository, type LinkBeginner } from './link-code.repository.js';

/** The identity that a linking flow has proven. */
export interface ProvenIdentity {
  readonly kind: Kind;
  readonly profile: ProvenProfile;
  /** Connection of an organization; left out for the provider of the deployment. */
  readonly connectionId?: string;
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
/** No session has this id: the session that proves the account does not exist yet. */
const NO_SESSION = '' as SessionId;

/**
 * Issues and consumes link codes. The callback proves who signed in at the provider, and not whose
 * browser it is: the identity is linked only when the session that started the flow redeems the
 * code (ADR 15).
 */
@Injectable()
export class LinkCodeService {
  private readonly sealer: Sealer;

  constructor(
    private readonly codes: LinkCodeRepository,
    keys: KeyDerivation,
  ) {
    this.sealer = new Sealer(keys, 'external-link-code');
  }

  /** Stores a proven identity for a minute. Joins the open transaction. @returns the code */
  async issue(beginner: LinkBeginner, identity: ProvenIdentity): Promise<string> {
    const { plainToken, tokenHash } = createOneTimeToken();
    const sealed = this.sealer.seal(JSON.stringify(identity));
    await this.codes.insert(tokenHash, beginner, sealed, LINK_CODE_LIFETIME_SECONDS);
    return plainToken;
  }

  /**
   * Stores an identity until its person has proven the account by a sign-in to it. The code is
   * bound to the account, the identity, and by the challenge to the tab. Joins the open
   * transaction.
   * @returns the code
   */
  async issueForProof(userId: UserId, identity: ProvenIdentity, codeChallenge: string): Promise<string> {
    const { plainToken, tokenHash } = createOneTimeToken();
    const awaited: AwaitedIdentity = { ...identity, codeChallenge, issuedAt: Date.now() };
    const sealed = this.sealer.seal(JSON.stringify(awaited));
    await this.codes.insert(tokenHash, { userId, sessionId: NO_SESSION }, sealed, PROOF_LIFETIME_SECONDS);
    return plainToken;
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
    const sealed = await this.codes.consume(hashOneTimeToken(code), { userId, sessionId: NO_SESSION });
    if (sealed === null) throw invalidLinkCode();
    const { codeChallenge, issuedAt, ...identity } = JSON.parse(this.sealer.open(sealed)) as AwaitedIdentity;
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
  async consume(code: string, beginner: LinkBeginner): Promise<ProvenIdentity> {
    const sealed = await this.codes.consume(hashOneTimeToken(code), beginner);
    if (sealed === null) throw invalidLinkCode();
    return JSON.parse(this.sealer.open(sealed)) as ProvenIdentity;
  }

  /**
   * Deletes the account's codes. Joins the open transaction, which holds the lock of the account.
   */
  @OnLifecycle(
    'account.erased',
    'account.password-reset',
    'account.password-changed',
    'account.signed-out',
    'account.suspended',
  )
  async withdraw({ userId }: { userId: UserId }): Promise<void> {
    await this.codes.deleteAllOf(userId);
  }
}

/** Same error for an unknown code, an expired code, and a code of another session. */
export const invalidLinkCode = (): AppError =>
  AppError.violation(
    'code',
    'The code is invalid, used, expired, or of another session. Start linking again.',
  );
