import { Injectable, Logger } from '@nestjs/common';
import type { LifecycleEvents, UserId } from '../../kernel/index.js';
import { KeyDerivation, Sealer } from '../../platform/crypto/index.js';
import { describeCause } from '../../platform/errors/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import type { Kind } from '../providers/provider.js';
import { ProviderRegistry } from '../providers/provider.registry.js';
import { type GrantedKind, IdentityRepository } from './identity.repository.js';

const REVOKE_TASK = 'external-identity.revoke-grant';

interface Grant {
  readonly kind: Kind;
  readonly token: string;
}

/**
 * Keeps the refresh tokens of providers, and revokes them when the identity is removed or the
 * account erased.
 */
@Injectable()
export class ProviderGrants {
  private readonly logger = new Logger('ProviderGrants');
  private readonly sealer: Sealer;

  constructor(
    private readonly identities: IdentityRepository,
    private readonly providers: ProviderRegistry,
    private readonly jobs: JobQueue,
    keys: KeyDerivation,
  ) {
    this.sealer = new Sealer(keys, 'provider-grant');
  }

  seal(refreshToken: string): string {
    return this.sealer.seal(refreshToken);
  }

  /** Queues the revocation of all grants. Joins the transaction of the erasure. */
  @OnLifecycle('account.erasing')
  async revokeAll({ userId }: LifecycleEvents['account.erasing']): Promise<void> {
    await this.revokeOf(userId, await this.identities.findGranted(userId));
  }

  /** Queues the revocation of the grants of removed identities. Joins the open transaction. */
  async revokeOf(userId: UserId, removed: readonly GrantedKind[]): Promise<void> {
    for (const { kind, sealedGrant } of removed) {
      const token = sealedGrant === null ? null : this.open(userId, sealedGrant);
      if (token !== null) await this.jobs.add(REVOKE_TASK, { kind, token } satisfies Grant);
    }
  }

  /** Revokes one grant. Tried again while the provider is unavailable. */
  @JobHandler({ task: REVOKE_TASK })
  async revoke({ kind, token }: Grant): Promise<void> {
    if (!this.providers.configured.includes(kind)) return;
    await this.providers.get(kind).revokeGrant?.(token);
  }

  /** A token that cannot be opened must not fail the erasure or removal. */
  private open(userId: UserId, sealed: string): string | null {
    try {
      return this.sealer.open(sealed);
    } catch (error) {
      this.logger.warn({ userId, cause: describeCause(error) }, 'a grant cannot be revoked');
      return null;
    }
  }
}
