import { Injectable, Logger } from '@nestjs/common';
import { AccountService } from '../../iam/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError, describeCause } from '../../platform/errors/index.js';
import { FlowRepository } from '../flow/flow.repository.js';
import { IdentityRepository } from '../linking/identity.repository.js';
import {
  environmentConnection,
  type Kind,
  MAX_NOTICE_AGE_SECONDS,
  NOTICE_CLOCK_SECONDS,
  type ProviderNotice,
  SignInError,
} from '../providers/provider.js';
import { ProviderRegistry } from '../providers/provider.registry.js';
import { WithdrawnIdentities } from './withdrawn-identities.js';

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
    private readonly withdrawn: WithdrawnIdentities,
  ) {}

  /**
   * Carries out a notice, once: see {@link WithdrawnIdentities.end}.
   * @param field that the notice came in
   * @throws {AppError} not-found if the provider is not configured; validation-error for a notice
   *   that is not the provider's; unavailable if its keys cannot be fetched
   */
  async receive(kind: Kind, field: string, read: () => Promise<ProviderNotice>): Promise<void> {
    this.providers.get(kind);
    const notice = await read().catch((error: unknown) => {
      throw this.refusalOf(kind, field, error);
    });
    const { what, issuer, subject, issuedAt } = notice;
    if (what === 'other') return;
    const key = { connectionId: environmentConnection(kind), issuer, subject };
    await this.database.transaction(async () => {
      const owner = (await this.identities.findOwner(key))?.userId;
      if (owner === undefined) return;
      const locked = await this.accounts.lockForUpdate(owner);
      const identity = await this.identities.findOwner(key);
      // A notice of before says nothing about a consent that was given since.
      const before = issuedAt.getTime() + NOTICE_CLOCK_SECONDS * 1_000;
      if (identity?.userId !== owner || identity.createdAt.getTime() > before) return;
      const until = new Date(Date.now() + REMEMBERED_MS);
      if (!(await this.flows.consumeProof(`notice|${kind}|${notice.key}`, until))) return;
      await this.withdrawn.end(locked, identity.id, what);
    });
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
