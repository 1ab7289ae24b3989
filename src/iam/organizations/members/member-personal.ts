import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { namesOf } from '../../accounts/person-name.js';
import { PersonalFields } from '../../audit/personal-fields.js';
import { InvitationRepository } from '../invitations/invitation.repository.js';
import { MemberRepository } from './member.repository.js';

/** Reads who a member or an invited person is, for subscriptions that ask for it. */
@Injectable()
export class MemberPersonal {
  constructor(
    private readonly members: MemberRepository,
    private readonly invitations: InvitationRepository,
  ) {}

  /** For members only: an organization may see no other person's data. */
  @PersonalFields('member')
  async ofMember(tenantId: TenantId, userId: string): Promise<object | null> {
    const member = await this.members.find(tenantId, userId as UserId);
    return member && { email: member.email, ...namesOf(member) };
  }

  @PersonalFields('invitation')
  async ofInvitation(tenantId: TenantId, id: string): Promise<object | null> {
    const invitation = await this.invitations.find(tenantId, id);
    return invitation && { email: invitation.email };
  }
}
