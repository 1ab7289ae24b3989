import { Injectable } from '@nestjs/common';
import { createOneTimeToken, hashOneTimeToken, KeyDerivation, Sealer } from '../../platform/crypto/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { UserId } from '../../kernel/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import type { Kind, ProvenProfile } from '../providers/provider.js';
import { LinkCodeRepository, type LinkBeginner } from './link-code.repository.js';

/** What a linking flow has proven. */
export interface ProvenIdentity {
  readonly kind: Kind;
  readonly profile: ProvenProfile;
}

/** Long enough for the returning page to load and redeem it. */
const LINK_CODE_LIFETIME_SECONDS = 60;

/**
 * Codes that a linking flow ends in. The callback proves who signed in at the provider, and not
 * whose browser it is: the identity is linked only when the person and session that began the flow
 * redeem the code (ADR 15).
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

  /** Keeps a proven identity for a minute. Joins the open transaction. @returns the code */
  async issue(beginner: LinkBeginner, identity: ProvenIdentity): Promise<string> {
    const { plainToken, tokenHash } = createOneTimeToken();
    const sealed = this.sealer.seal(JSON.stringify(identity));
    await this.codes.insert(tokenHash, beginner, sealed, LINK_CODE_LIFETIME_SECONDS);
    return plainToken;
  }

  /**
   * The identity that a code stands for. Joins the open transaction: a refusal in it leaves the
   * code as it was.
   * @throws {AppError} validation-error on `code`; the same for a code of somebody else, which is
   * not used up
   */
  async consume(code: string, beginner: LinkBeginner): Promise<ProvenIdentity> {
    const sealed = await this.codes.consume(hashOneTimeToken(code), beginner);
    if (sealed === null) throw invalidLinkCode();
    return JSON.parse(this.sealer.open(sealed)) as ProvenIdentity;
  }

  /**
   * Takes back the codes that are not redeemed. Joins the open transaction, which holds the
   * account.
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

/** The same for an unknown code, an expired one, and one that another person or session began. */
export const invalidLinkCode = (): AppError =>
  AppError.violation('code', 'The code is not valid here, or not any more. Start linking again.');
