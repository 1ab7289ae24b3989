import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import { type LifecycleEvents, LOCK, type TenantId, type UserId } from '../../kernel/index.js';
import {
  createApiKey,
  hashApiKey,
  isApiKeyOf,
  KeyDerivation,
  parseApiKey,
} from '../../platform/crypto/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { WorkerRepository } from './worker.repository.js';
import { workerEvent } from './worker-event.js';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 365;
const NO_BADGE = { badgeLookup: null, badgeHash: null, badgeExpiresAt: null };

/** A badge as it is printed. */
export interface IssuedBadge {
  readonly badge: string;
  readonly expiresAt: Date;
}

/**
 * Issues badges: a key in the place of the number. It can be copied, and is no factor. Only its
 * hash is stored.
 */
@Injectable()
export class BadgeService {
  constructor(
    private readonly workers: WorkerRepository,
    private readonly keys: KeyDerivation,
    private readonly audit: AuditTrail,
  ) {}

  /** Issues a badge; the one before ends. */
  async issue(
    tenantId: TenantId,
    actorId: UserId,
    userId: UserId,
    days = DEFAULT_DAYS,
  ): Promise<IssuedBadge> {
    const ends = new Date(Date.now() + days * DAY_MS);
    const { id: badgeLookup, plainKey } = createApiKey('bd');
    const badgeHash = hashApiKey(this.keys, 'api-key', plainKey);
    await this.workers.setBadge(tenantId, userId, { badgeLookup, badgeHash, badgeExpiresAt: ends });
    await this.audit.record(workerEvent(tenantId, actorId, userId, 'badge-issued'));
    return { badge: plainKey, expiresAt: ends };
  }

  async revoke(tenantId: TenantId, actorId: UserId, userId: UserId): Promise<void> {
    await this.workers.setBadge(tenantId, userId, NO_BADGE);
    await this.audit.record(workerEvent(tenantId, actorId, userId, 'badge-revoked'));
  }

  /** Returns the public part of a well-spelled badge; null for any other text. */
  lookupOf(badge: string): string | null {
    const parsed = parseApiKey(badge);
    return parsed?.kind === 'bd' ? parsed.id : null;
  }

  isBadge(badge: string, hash: Buffer | null): boolean {
    return hash !== null && isApiKeyOf(this.keys, 'api-key', badge, hash);
  }

  /** Ends a badge that was found in public. */
  @OnLifecycle('key.leaked', { order: LOCK.rows })
  async endLeaked({ plainKey, ended }: LifecycleEvents['key.leaked']): Promise<void> {
    const lookup = this.lookupOf(plainKey);
    const owner = lookup === null ? null : await this.workers.removeBadge(lookup);
    if (!owner) return;
    await this.audit.record(workerEvent(owner.tenantId, owner.userId, owner.userId, 'badge-revoked'));
    await ended({ tenantId: owner.tenantId, name: 'Badge' });
  }
}
