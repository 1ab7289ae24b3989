import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import { type Emitter, Events } from '../../../platform/events/index.js';
import { JobHandler } from '../../../platform/jobs/index.js';
import { ExpiryNotices, quotedName } from '../../../platform/mail/index.js';
import { BrandingService } from '../branding/branding.service.js';
import { MembershipExpiring, RoleExpiring } from '../organization.events.js';
import { type EndingAccess, EndsRepository, type KindOfAccess, KINDS_OF_ACCESS } from './ends.repository.js';
import '../organization.messages.js';

/** Notices of one transaction. */
const BATCH = 50;

/** Tells members and subscribers a week and a day before a membership or role ends. */
@Injectable()
export class EndNotices {
  private readonly membershipExpiring: Emitter<MembershipExpiring>;
  private readonly roleExpiring: Emitter<RoleExpiring>;

  constructor(
    private readonly database: Database,
    private readonly ends: EndsRepository,
    private readonly brandings: BrandingService,
    private readonly notices: ExpiryNotices,
    events: Events,
  ) {
    this.membershipExpiring = events.emitter(MembershipExpiring);
    this.roleExpiring = events.emitter(RoleExpiring);
  }

  @JobHandler({ task: 'tell_of_ends_of_access', schedule: '11 * * * *' })
  async tell(): Promise<void> {
    for (const kind of KINDS_OF_ACCESS)
      while ((await this.database.transaction(() => this.tellBatch(kind))) === BATCH);
  }

  private async tellBatch(kind: KindOfAccess): Promise<number> {
    const due = await this.ends.takeDueNotices(kind, BATCH);
    for (const one of due) {
      await this.emit(one);
      await this.mail(one);
    }
    return due.length;
  }

  private async emit({ tenantId, userId, roleId, assignmentId, until }: EndingAccess): Promise<void> {
    const what = { tenantIds: [tenantId], actorId: null };
    const data = { userId, until: until.toISOString() };
    if (roleId === null)
      await this.membershipExpiring.emit({ ...what, subject: `iam/members/${userId}`, data });
    else
      await this.roleExpiring.emit({
        ...what,
        subject: assignmentId === null ? `iam/members/${userId}` : `iam/assignments/${assignmentId}`,
        data: { assignmentId, roleId, ...data },
      });
  }

  private async mail({ tenantId, email, locale, until, ...access }: EndingAccess): Promise<void> {
    if (email === null) return;
    const look = await this.brandings.lookOfMails(tenantId);
    await this.notices.send({ email, locale, look }, 'access-ending', until, (text, date) => {
      const organization = quotedName(access.organization) ?? text('mail.access-ending.an-organization');
      const role = quotedName(access.roleName ?? '') ?? text('mail.access-ending.a-role');
      return {
        subject: text('mail.access-ending.subject'),
        paragraphs: [
          access.roleId === null
            ? text('mail.access-ending.membership', { organization, date })
            : text('mail.access-ending.role', { role, organization, date }),
          text('mail.access-ending.what-now'),
        ],
      };
    });
  }
}
