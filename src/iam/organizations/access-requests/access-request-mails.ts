import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { quotedName } from '../../../platform/mail/index.js';
import { thingOf } from '../../../ability/index.js';
import { AccountRepository } from '../../accounts/account.repository.js';
import { type Receiver, TenantMails } from '../tenants/tenant-mails.js';
import { AccessCache } from '../members/access-cache.js';
import { MemberRepository } from '../members/member.repository.js';
import { OWNER } from '../roles/role-scopes.js';
import { type AccessRequest, AccessRequestRepository, DECIDE, GIVE } from './access-request.repository.js';
import '../organization.messages.js';

/** Mails about requests for access, in the transaction of the request. */
@Injectable()
export class AccessRequestMails {
  constructor(
    private readonly requests: AccessRequestRepository,
    private readonly members: MemberRepository,
    private readonly cache: AccessCache,
    private readonly accounts: AccountRepository,
    private readonly mails: TenantMails,
  ) {}

  /** Mails members who can approve the request. The link opens a page, on which they decide. */
  async sendToApprovers(tenantId: TenantId, request: AccessRequest): Promise<void> {
    await this.send(tenantId, await this.findApprovers(tenantId, request), request, 'asked');
  }

  /** Mails the member who asked what was decided. */
  async sendToRequester(tenantId: TenantId, request: AccessRequest): Promise<void> {
    const what = request.status === 'approved' ? 'approved' : 'denied';
    await this.send(tenantId, [request.userId], request, what);
  }

  /**
   * Finds members whose approval would be accepted: they decide about requests, may change the
   * member who asked, and hold in the whole organization what the role and this member hold.
   * @returns some of them, in order of id
   */
  private async findApprovers(tenantId: TenantId, { userId, roleId }: AccessRequest): Promise<UserId[]> {
    const [requester] = await this.members.findJudged(tenantId, [userId], false);
    if (!requester || requester.isLastOwner) return [];
    const roles = [...((await this.cache.rolesById(tenantId, true)) ?? [])];
    const idsOf = (holds: (role: (typeof roles)[number]) => boolean): string[] =>
      roles.filter(holds).map(([id]) => id);
    const withScope = (scope: string) => idsOf(([, { scopes }]) => scopes.has(scope));
    const given = new Set([roleId, ...requester.allRoleIds]);
    const scopes = new Set(roles.flatMap(([id, role]) => (given.has(id) ? [...role.scopes] : [])));
    const required = [...scopes].map(withScope);
    if (requester.isOwner) required.push(idsOf(([, { key }]) => key === OWNER));
    return this.requests.findApprovers(tenantId, {
      userId,
      deciding: withScope(DECIDE),
      giving: withScope(GIVE),
      requester: thingOf({ module: 'iam', collection: 'members', id: userId }),
      required,
    });
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
