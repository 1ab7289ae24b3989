import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { quotedName } from '../../../platform/mail/index.js';
import { AccountRepository } from '../../accounts/account.repository.js';
import { type Receiver, TenantMails } from '../tenants/tenant-mails.js';
import type { AccessRequest } from './access-request.repository.js';
import { AccessRequestApprovers } from './access-request-approvers.js';
import '../organization.messages.js';

/** Mails about requests for access, in the transaction of the request. */
@Injectable()
export class AccessRequestMails {
  constructor(
    private readonly approvers: AccessRequestApprovers,
    private readonly accounts: AccountRepository,
    private readonly mails: TenantMails,
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
    const people: Receiver[] = [];
    for (const userId of userIds) {
      const person = await this.accounts.find(userId);
      if (person) people.push(person);
    }
    await this.mails.send(tenantId, people, { kind: 'access-request' }, (text, organization) => ({
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
    }));
  }
}
