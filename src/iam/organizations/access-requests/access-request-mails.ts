import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { Outbox, quotedName } from '../../../platform/mail/index.js';
import { AccountRepository } from '../../accounts/account.repository.js';
import { BrandingService } from '../branding/branding.service.js';
import { TenantRepository } from '../tenants/tenant.repository.js';
import type { AccessRequest } from './access-request.repository.js';
import { AccessRequestApprovers } from './access-request-approvers.js';
import '../organization.messages.js';

const DAY_SECONDS = 86_400;
const MAX_PER_DAY = 20;

/** Mails about requests for access, in the transaction of the request. */
@Injectable()
export class AccessRequestMails {
  constructor(
    private readonly approvers: AccessRequestApprovers,
    private readonly accounts: AccountRepository,
    private readonly tenants: TenantRepository,
    private readonly brandings: BrandingService,
    private readonly outbox: Outbox,
  ) {}

  /** Mails members who can approve the request. The link opens a page, on which they decide. */
  async sendToApprovers(tenantId: TenantId, request: AccessRequest): Promise<void> {
    await this.send(tenantId, await this.approvers.find(tenantId, request), request, 'asked');
  }

  /** Mails the member who asked what was decided. */
  async sendToRequester(tenantId: TenantId, request: AccessRequest): Promise<void> {
    const what = request.status === 'approved' ? 'approved' : 'denied';
    await this.send(tenantId, [request.userId], request, what);
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
