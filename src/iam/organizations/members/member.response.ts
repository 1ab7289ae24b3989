import { emailField, Output, timeField, ulidField, wordField } from '../../../platform/api/index.js';
import { NamedResponse, namesOf } from '../../accounts/person-name.js';
import { ROLE_KEYS } from '../roles/role.fields.js';
import { MEMBER_SOURCES, MEMBER_STATUSES, type MemberSource, type MemberStatus } from './member-source.js';
import type { Member } from './member.repository.js';

/** A member, without what changes while they work: its `ETag` changes with the membership alone. */
export class MembershipResponse extends NamedResponse {
  @Output(ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' }))
  userId: string;
  @Output(emailField({ example: 'ada@example.com' }), { nullable: true })
  email: string | null;
  @Output(ROLE_KEYS)
  roles: string[];
  @Output(timeField())
  joinedAt: string;
  @Output(
    wordField(MEMBER_STATUSES, { description: 'A suspended member has no access, and keeps the roles.' }),
  )
  status: MemberStatus;
  @Output(
    wordField(MEMBER_SOURCES, {
      description: 'What added the member: a person (`manual`), a connection or a directory.',
    }),
  )
  source: MemberSource;

  static from({ joinedAt, ...member }: Member): MembershipResponse {
    const { userId, email, roles, status, source } = member;
    return { userId, email, ...namesOf(member), roles, joinedAt: joinedAt.toISOString(), status, source };
  }
}

/** A member in a list. */
export class MemberResponse extends MembershipResponse {
  @Output(
    timeField({
      description:
        'Last time a session renewed its token for this organization, to within ten minutes. null if none has.',
    }),
    { nullable: true },
  )
  lastActiveAt: string | null;

  static override from(member: Member): MemberResponse {
    return { ...super.from(member), lastActiveAt: member.lastActiveAt?.toISOString() ?? null };
  }
}
