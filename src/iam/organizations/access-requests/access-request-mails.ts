import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { Outbox, quotedName } from '../../../platform/mail/index.js';
import { AccountRepository } from '../../accounts/account.repository.js';
import { BrandingService } from '../branding/branding.service.js';
import { AssignmentDirectory } from '../assignments/assignment-directory.js';
import { RoleService } from '../roles/role.service.js';
import { TenantRepository } from '../tenants/tenant.repository.js';
import { type AccessRequest, DECIDE } from './access-request.repository.js';
import '../organization.messages.js';

const DAY_SECONDS = 86_400;
const MAX_PER_DAY = 20;
/** Members who are mailed about a request. All who can approve it see it in the portal. */
const MAX_APPROVERS = 10;
/** Members of whom it is looked up whether they can give the role. */
const MAX_JUDGED = 50;

/** Mails about requests for access, in the transaction of the request. */
@Injectable()
export class AccessRequestMails {
  constructor(
    private readonly directory: AssignmentDirectory,
    private readonly roles: RoleService,
    private readonly accounts: AccountRepository,
    private readonly tenants: TenantRepository,
    private readonly brandings: BrandingService,
    private readonly outbox: Outbox,
  ) {}

  /** Mails members who can give the role. The link opens a page, on which they decide. */
  async sendToApprovers(tenantId: TenantId, request: AccessRequest): Promise<void> {
    await this.send(tenantId, await this.findApprovers(tenantId, request), request, 'asked');
  }

  /** Mails the member who asked what was decided. */
  async sendToRequester(tenantId: TenantId, request: AccessRequest): Promise<void> {
    const what = request.status === 'approved' ? 'approved' : 'denied';
    await this.send(tenantId, [request.userId], request, what);
  }

  private async findApprovers(tenantId: TenantId, { userId, roleId }: AccessRequest): Promise<UserId[]> {
    const page = { limit: MAX_JUDGED, after: null };
    const found: UserId[] = [];
    for (const holder of await this.directory.findHolders(tenantId, DECIDE, [], page)) {
      if (found.length === MAX_APPROVERS) break;
      const isOther = holder.isActive && holder.userId !== userId;
      if (isOther && (await this.roles.canGive(tenantId, holder.userId, [roleId]))) found.push(holder.userId);
    }
    return found;
  }

  private async send(
    tenantId: TenantId,
    userIds: readonly UserId[],
    { id, role }: AccessRequest,
    what: 'asked' | 'approved' | 'denied',
  ): Promise<void> {
    const organization = quotedName((await this.tenants.find(tenantId))?.name ?? '');
    const look = await this.brandings.lookOfMails(tenantId);
    for (const userId of userIds) {
      const account = await this.accounts.find(userId);
      if (!account?.email) continue;
      await this.outbox.send(
        { email: account.email, locale: account.locale, look },
        {
          usefulForSeconds: DAY_SECONDS,
          budget: { kind: 'access-request', mails: MAX_PER_DAY, periodSeconds: DAY_SECONDS },
        },
        (text) => ({
          subject: text(`mail.access-request.${what}.subject`),
          paragraphs: [
            text(`mail.access-request.${what}.text`, {
              role: quotedName(role) ?? '',
              organization: organization ?? text('mail.access-ending.an-organization'),
            }),
          ],
          action: {
            label: text('mail.access-request.open'),
            path: `/organizations/${tenantId}/access-requests/${id}`,
          },
        }),
      );
    }
  }
}
