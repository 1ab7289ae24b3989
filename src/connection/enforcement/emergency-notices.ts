import { Injectable } from '@nestjs/common';
import { AuditEventRepository, AuditTrail, OwnerMails } from '../../iam/index.js';
import type { LifecycleEvents, TenantId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import '../connection.messages.js';

const TELL_OWNERS = 'connections.tell-owners-of-emergency';
const ACTION = 'sign-in-policy.entered-in-emergency';

type Entry = LifecycleEvents['tenant.entered-in-emergency'];

/** Records emergency entries, once a session, and mails them to all owners. */
@Injectable()
export class EmergencyNotices {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly events: AuditEventRepository,
    private readonly jobs: JobQueue,
    private readonly mails: OwnerMails,
  ) {}

  @OnLifecycle('tenant.entered-in-emergency')
  async record({ userId, tenantId, sessionId }: Entry): Promise<void> {
    // Ids of events are in order of time, and so is the id of the session.
    if (await this.events.hasSince(userId, sessionId, ACTION, tenantId)) return;
    const subject = `iam/sign-in-policies/${tenantId}`;
    await this.audit.record({ actorId: userId, tenantId, action: ACTION, subject });
    await this.jobs.add(TELL_OWNERS, { tenantId });
  }

  @JobHandler({ task: TELL_OWNERS })
  async tell({ tenantId }: { readonly tenantId: TenantId }): Promise<void> {
    await this.database.transaction(() =>
      this.mails.send(tenantId, { kind: 'emergency-entry' }, (text, organization) => ({
        subject: text('mail.emergency-entry.subject'),
        paragraphs: [text('mail.emergency-entry.text', { organization }), text('mail.emergency-entry.check')],
      })),
    );
  }
}
