import { emailField, Output, timeField, ulidField } from '../../../platform/api/index.js';
import { FIRST_NAME } from '../../accounts/account.fields.js';
import { ROLE_KEYS } from '../roles/role.fields.js';
import type { ActiveMember } from './member.service.js';

export class MemberResponse {
  @Output(ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' }))
  userId: string;
  @Output(emailField({ example: 'ada@example.com' }), { nullable: true })
  email: string | null;
  @Output(FIRST_NAME, { nullable: true })
  firstName: string | null;
  @Output(ROLE_KEYS)
  roles: string[];
  @Output(timeField())
  joinedAt: string;
  @Output(
    timeField({
      description:
        'Last time a session renewed its token for this organization. null if no session of the member does.',
    }),
    { nullable: true },
  )
  lastActiveAt: string | null;

  static from(member: ActiveMember): MemberResponse {
    const { userId, email, firstName, roles, joinedAt, lastActiveAt } = member;
    return {
      userId,
      email,
      firstName,
      roles,
      joinedAt: joinedAt.toISOString(),
      lastActiveAt: lastActiveAt?.toISOString() ?? null,
    };
  }
}
