import { Injectable } from '@nestjs/common';
import { AuditTrail, OwnerMails } from '../../iam/index.js';
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
    private readonly jobs: JobQueue,
    private readonly mails: OwnerMails,
  ) {}

  @OnLifecycle('tenant.entered-in-emergency')
  async record({ userId, tenantId, sessionId }: Entry): Promise<void> {
    // Ids of events are in order of time, as that of the session is.
    const known = await this.database.row(
      'SELECT 1 FROM audit_events WHERE account_id = $1 AND id > $2 AND action = $3 AND tenant_id = $4 LIMIT 1',
      [userId, sessionId, ACTION, tenantId],
    );
    if (known) return;
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
