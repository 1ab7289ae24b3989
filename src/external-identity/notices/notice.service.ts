import { hash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { OwnMethods } from '../../authenticator/index.js';
import { AccountService, ErasureService } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError, describeCause } from '../../platform/errors/index.js';
import { LogoutService } from '../../session/index.js';
import { FlowRepository } from '../flow/flow.repository.js';
import { IdentityRepository } from '../linking/identity.repository.js';
import { IdentityService } from '../linking/identity.service.js';
import {
  MAX_NOTICE_AGE_SECONDS,
  NOTICE_CLOCK_SECONDS,
  type ProviderNotice,
} from '../providers/provider-notice.js';
import { environmentConnection, type Kind, SignInError } from '../providers/provider.js';
import { ProviderRegistry } from '../providers/provider.registry.js';

/** Time for which a notice is remembered, so that it counts once: longer than it is accepted. */
const REMEMBERED_MS = (MAX_NOTICE_AGE_SECONDS + 3_600) * 1_000;

/** Ends here what Apple and Facebook say that a person has ended there. */
@Injectable()
export class NoticeService {
  private readonly logger = new Logger('ProviderNotices');

  constructor(
    private readonly database: Database,
    private readonly flows: FlowRepository,
    private readonly identities: IdentityRepository,
    private readonly providers: ProviderRegistry,
    private readonly accounts: AccountService,
    private readonly ownMethods: OwnMethods,
    private readonly logouts: LogoutService,
    private readonly erasures: ErasureService,
    private readonly unlinking: IdentityService,
  ) {}

  /**
   * Carries out a notice, once: signs the person out, and removes the identity. After `withdrawn`
   * an identity stays that is the only way into the account, which the person enters again by a
   * new consent; after `deleted` such an account is erased.
   * @param field that the notice came in
   * @throws {AppError} not-found if the provider is not configured; validation-error for a notice
   *   that is not the provider's; unavailable if its keys cannot be fetched
   */
  async receive(kind: Kind, field: string, read: () => Promise<ProviderNotice>): Promise<void> {
    this.providers.get(kind);
    const notice = await read().catch((error: unknown) => {
      throw this.refusalOf(kind, field, error);
    });
    if (notice.what === 'other') return;
    const { issuer, subject, issuedAt } = notice;
    const key = { connectionId: environmentConnection(kind), issuer, subject };
    await this.database.transaction(async () => {
      const owner = (await this.identities.findLinked(key))?.userId;
      if (owner === undefined) return;
      await this.accounts.lockForUpdate(owner);
      const identity = await this.identities.findLinked(key);
      // A notice of before says nothing about a consent that was given since.
      const before = issuedAt.getTime() + NOTICE_CLOCK_SECONDS * 1_000;
      if (identity?.userId !== owner || identity.createdAt.getTime() > before) return;
      const proof = hash('sha256', `notice|${kind}|${notice.key}`, 'buffer');
      if (!(await this.flows.consumeProof(proof, new Date(Date.now() + REMEMBERED_MS)))) return;
      await this.logouts.logoutAll({ userId: owner });
      const isOnlyWay = !(await this.hasOtherWay(owner, identity.id));
      if (!isOnlyWay) await this.unlinking.unlink(owner, identity.id);
      else if (notice.what === 'deleted') await this.erasures.erase(owner);
    });
  }

  /** Tells whether the person can still enter the account without the identity. */
  private async hasOtherWay(userId: UserId, id: string): Promise<boolean> {
    const { email } = await this.accounts.requireForShare(userId);
    if (email !== null || (await this.accounts.hasPassword(userId))) return true;
    const usable = await this.identities.findTwoUsable(userId, this.providers.acceptedIssuers);
    if (usable.some((other) => other !== id)) return true;
    return (await this.ownMethods.findFactors(userId, [])).methods.includes('passkey');
  }

  /** Logs why, without the notice, and tells the sender nothing of it. */
  private refusalOf(kind: Kind, field: string, error: unknown): unknown {
    if (!(error instanceof SignInError)) return error;
    if (error.reason === 'provider_unavailable')
      return new AppError('unavailable', { retryAfterSeconds: 30, cause: error });
    this.logger.warn({ kind, cause: describeCause(error.cause) }, 'notice of a provider refused');
    return AppError.violation(field, 'is no notice of this provider');
  }
}
