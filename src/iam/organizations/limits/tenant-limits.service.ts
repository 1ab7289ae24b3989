import { Inject, Injectable } from '@nestjs/common';
import { canonicalEmail, type TenantId, type UserId } from '../../../kernel/index.js';
import { DailyBudgets } from '../../../platform/budgets/index.js';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { AppError } from '../../../platform/errors/index.js';
import type { SenderBudget } from '../../../platform/mail/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { TenantLock } from '../tenants/tenant-lock.js';
import { TenantRepository } from '../tenants/tenant.repository.js';
import { type SetLimits, TenantLimitsRepository } from './tenant-limits.repository.js';
import '../organization.messages.js';

const MAILS = 'mails';

/** Limits of an organization as they apply, null for none, and what it has used of them. */
export interface TenantLimits extends SetLimits {
  /** What operators have set; null for the default of the service. */
  readonly set: SetLimits;
  /** Mails that count, since midnight in UTC. */
  readonly mailsToday: number;
}

/**
 * Limits of what an organization can send to people who do not belong to it: every user can make an
 * organization, and enter any address.
 */
@Injectable()
export class TenantLimitsService {
  constructor(
    private readonly repository: TenantLimitsRepository,
    private readonly tenants: TenantRepository,
    private readonly tenantLock: TenantLock,
    private readonly budgets: DailyBudgets,
    private readonly audit: AuditTrail,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async get(tenantId: TenantId): Promise<TenantLimits> {
    const set = await this.repository.find(tenantId);
    return { ...this.applied(set), set, mailsToday: await this.budgets.findUsed(MAILS, tenantId) };
  }

  /**
   * Sets limits of an organization, for operators.
   * @param actorId the operator; the organization for the command line
   * @param changes null for the default of the service; absent ones stay
   * @throws {AppError} not-found
   */
  set(
    actorId: UserId,
    tenantId: TenantId,
    changes: { readonly [K in keyof SetLimits]?: SetLimits[K] | undefined },
  ): Promise<TenantLimits> {
    return this.tenantLock.underLock(tenantId, async () => {
      if (!(await this.tenants.find(tenantId))) throw new AppError('not-found');
      const current = await this.repository.find(tenantId);
      const { mailsPerDay = current.mailsPerDay, openInvitations = current.openInvitations } = changes;
      await this.repository.set(tenantId, { mailsPerDay, openInvitations });
      const subject = `iam/tenants/${tenantId}`;
      await this.audit.record({ actorId, tenantId, action: 'operator.limits-changed', subject });
      return this.get(tenantId);
    });
  }

  /** Returns the budget that a mail of the organization counts for; null inside its domains. */
  async findBudget(tenantId: TenantId, email: string): Promise<SenderBudget | null> {
    if (await this.repository.isInside(tenantId, canonicalEmail(email))) return null;
    const { mailsPerDay } = this.applied(await this.repository.find(tenantId));
    return { kind: MAILS, holder: tenantId, mails: mailsPerDay };
  }

  /**
   * Returns whether the organization has more open invitations than it may. Call it once one is
   * written; it locks others out until the transaction ends.
   */
  async hasTooManyInvitations(tenantId: TenantId): Promise<boolean> {
    const { openInvitations } = this.applied(await this.repository.find(tenantId));
    return (
      openInvitations !== null &&
      (await this.repository.countInvitations(tenantId, openInvitations)) > openInvitations
    );
  }

  /** Returns how many invitations outside its domains the organization can send today. */
  async countLeft(tenantId: TenantId): Promise<number> {
    const { mailsPerDay, openInvitations, mailsToday } = await this.get(tenantId);
    const mails = mailsPerDay === null ? Infinity : mailsPerDay - mailsToday;
    if (mails <= 0 || openInvitations === null) return Math.max(0, mails);
    const open = await this.repository.countInvitations(tenantId, openInvitations);
    return Math.max(0, Math.min(mails, openInvitations - open));
  }

  /** Error for an organization that has sent the mails of the day. */
  async mailsUsedUp(tenantId: TenantId): Promise<AppError> {
    const { mailsPerDay } = this.applied(await this.repository.find(tenantId));
    return new AppError('too-many-requests', {
      reason: { id: 'tenant.mails-used-up', values: { max: mailsPerDay ?? 0 } },
      retryAfterSeconds: this.budgets.secondsUntilTomorrow(),
    });
  }

  /** Error for an organization with too many open invitations. */
  async invitationsUsedUp(tenantId: TenantId): Promise<AppError> {
    const { openInvitations } = this.applied(await this.repository.find(tenantId));
    return new AppError('conflict', {
      reason: { id: 'invitation.too-many-open', values: { max: openInvitations ?? 0 } },
    });
  }

  private applied({ mailsPerDay, openInvitations }: SetLimits): SetLimits {
    return {
      mailsPerDay: mailsPerDay ?? this.settings.LIMIT_MAILS,
      openInvitations: openInvitations ?? this.settings.LIMIT_INVITATIONS,
    };
  }
}
