import { Injectable } from '@nestjs/common';
import { createOneTimeToken, hashOneTimeToken, KeyDerivation, Sealer } from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { UserId } from '../../kernel/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import type { Kind, ProvenProfile } from '../providers/provider.js';
import { LinkCodeRepository, type LinkBeginner } from './link-code.repository.js';

/** The identity that a linking flow has proven. */
export interface ProvenIdentity {
  readonly kind: Kind;
  readonly profile: ProvenProfile;
}

/** Long enough for the page that started the flow to load and redeem the code. */
const LINK_CODE_LIFETIME_SECONDS = 60;

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
