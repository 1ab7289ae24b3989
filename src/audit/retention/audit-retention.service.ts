import { Inject, Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import type { Locked, TenantId, UserId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { AppError } from '../../platform/errors/index.js';
import { ChainRepository } from '../chain/chain.repository.js';
import './audit-retention.errors.js';
import './audit-retention.messages.js';
import { AuditRetentionRepository } from './audit-retention.repository.js';

/** For how long an organization keeps its audit trail. */
export interface AuditRetention {
  /** What the organization has set; null for nothing. */
  readonly days: number | null;
  /** What applies; null for no end. */
  readonly appliedDays: number | null;
  readonly minDays: number;
  /** First entry of the chain that is kept. */
  readonly firstEntry: number;
  /** Time of the last entry that `audit:verify` found right; null for none. */
  readonly verifiedUntil: Date | null;
}

/** Retention of the audit trail of organizations. The caller has checked the permission before. */
@Injectable()
export class AuditRetentionService {
  constructor(
    private readonly repository: AuditRetentionRepository,
    private readonly chains: ChainRepository,
    private readonly audit: AuditTrail,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async get(tenantId: TenantId): Promise<AuditRetention> {
    const { AUDIT_RETENTION_DAYS: fallback, AUDIT_RETENTION_MIN_DAYS: minDays } = this.settings;
    const days = await this.repository.find(tenantId);
    const chosen = days ?? fallback;
    const [end] = await this.chains.findEnds([tenantId]);
    return {
      days,
      appliedDays: chosen && Math.max(chosen, minDays),
      minDays,
      firstEntry: (end?.startsAfter ?? 0) + 1,
      verifiedUntil: end?.verifiedUntil ?? null,
    };
  }

  /**
   * @param days null for the days of the service
   * @throws {AppError} retention-too-short below `AUDIT_RETENTION_MIN_DAYS`
   */
  async set(actorId: UserId, tenantId: Locked<TenantId>, days: number | null): Promise<AuditRetention> {
    const before = await this.get(tenantId);
    if (days !== null && days < before.minDays)
      throw new AppError('retention-too-short', {
        reason: { id: 'audit-retention.too-short', values: { min: before.minDays } },
      });
    if (days !== before.days) {
      await this.repository.set(tenantId, days);
      await this.audit.record({
        actorId,
        tenantId,
        action: 'tenant.audit-retention-changed',
        subject: `iam/tenants/${tenantId}`,
      });
    }
    return this.get(tenantId);
  }
}
