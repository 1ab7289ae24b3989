import { Injectable } from '@nestjs/common';
import type { Locked, TenantId, UserId } from '../../../kernel/index.js';
import { Database } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { JobHandler, JobQueue } from '../../../platform/jobs/index.js';
import { Lifecycle } from '../../../platform/lifecycle/index.js';
import { utcOf } from '../../accounts/account-mails.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { OwnerMails } from '../members/owner-mails.js';
import { type SupportAccess, SupportAccessRepository } from './support-access.repository.js';

const TELL_OWNERS = 'iam.tell-owners-of-support-access';

/** Lets support into organizations for some hours, where they allow it on request. */
@Injectable()
export class SupportAccessService {
  constructor(
    private readonly database: Database,
    private readonly access: SupportAccessRepository,
    private readonly mails: OwnerMails,
    private readonly audit: AuditTrail,
    private readonly lifecycle: Lifecycle,
    private readonly jobs: JobQueue,
  ) {}

  /** @throws {AppError} not-found for an unknown organization */
  async get(tenantId: TenantId): Promise<SupportAccess> {
    return (await this.access.find(tenantId)) ?? AppError.notFound();
  }

  /**
   * Finds until when support may be in the organization, which the open transaction locks: it
   * cannot end the access before the transaction does.
   * @returns `until` null for no end; null if support may not be in it, or it is unknown
   */
  async findPermissionForShare(tenantId: TenantId): Promise<{ readonly until: Date | null } | null> {
    const access = await this.access.findForShare(tenantId);
    if (!access || access.supportAccess === 'never') return null;
    if (access.supportAccess === 'always') return { until: null };
    return access.until && { until: access.until };
  }

  /** Lets support in for some hours, and mails all owners. */
  async grant(actorId: UserId, tenantId: Locked<TenantId>, hours: number): Promise<SupportAccess> {
    const until = await this.access.grant(tenantId, hours);
    await this.record(actorId, tenantId, 'granted');
    await this.jobs.add(TELL_OWNERS, { tenantId, until: until.toISOString() });
    return this.get(tenantId);
  }

  /** Ends the access, the sessions in which support is, and its invitations. */
  async end(actorId: UserId, tenantId: Locked<TenantId>): Promise<void> {
    await this.access.end(tenantId);
    await this.record(actorId, tenantId, 'ended');
    const { supportAccess } = await this.get(tenantId);
    if (supportAccess !== 'always') await this.lifecycle.emit('tenant.support-ended', { tenantId, actorId });
  }

  /**
   * Ends what another policy no longer allows: a grant, unless support is let in on request, the
   * sessions in which support is, and its invitations.
   */
  async review(actorId: UserId, tenantId: Locked<TenantId>): Promise<void> {
    const { supportAccess, until } = await this.get(tenantId);
    if (supportAccess !== 'on_request') await this.access.end(tenantId);
    const isAllowed = supportAccess === 'always' || (supportAccess === 'on_request' && until !== null);
    if (!isAllowed) await this.lifecycle.emit('tenant.support-ended', { tenantId, actorId });
  }

  @JobHandler({ task: TELL_OWNERS })
  async tell({ tenantId, until }: { readonly tenantId: TenantId; readonly until: string }): Promise<void> {
    await this.database.transaction(() =>
      this.mails.send(tenantId, { kind: 'support-access' }, (text, organization) => ({
        subject: text('mail.support-access.subject'),
        paragraphs: [
          text('mail.support-access.text', { organization, until: utcOf(new Date(until)) }),
          text('mail.support-access.end'),
        ],
      })),
    );
  }

  private async record(actorId: UserId, tenantId: TenantId, what: string): Promise<void> {
    const subject = `iam/support-access/${tenantId}`;
    await this.audit.record({ actorId, tenantId, action: `support-access.${what}`, subject });
  }
}
