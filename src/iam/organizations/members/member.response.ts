import {
  emailField,
  objectListField,
  Output,
  timeField,
  ulidField,
  wordField,
} from '../../../platform/api/index.js';
import { NamedResponse, namesOf } from '../../accounts/person-name.js';
import { ROLE_END, ROLE_KEY_FIELD, ROLE_KEYS } from '../roles/role.fields.js';
import { MEMBERSHIP_END } from './member.fields.js';
import { MEMBER_SOURCES, MEMBER_STATUSES, type MemberSource, type MemberStatus } from './member-source.js';
import type { Member } from './member.repository.js';

/** Role that ends. */
class RoleEndResponse {
  @Output(ROLE_KEY_FIELD)
  key: string;
  @Output(ROLE_END)
  until: string;
}

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
  @Output(MEMBERSHIP_END, { nullable: true })
  until: string | null;
  @Output(objectListField(() => RoleEndResponse, 100), {
    description: 'When roles end. Roles without an end are left out.',
  })
  roleEnds: RoleEndResponse[];

  static from({ joinedAt, ...member }: Member): MembershipResponse {
    const { userId, email, roles, status, source, until, roleEnds } = member;
    return {
      userId,
      email,
      ...namesOf(member),
      roles,
      joinedAt: joinedAt.toISOString(),
      status,
      source,
      until: until?.toISOString() ?? null,
      roleEnds: roleEnds.map((role) => ({ key: role.key, until: new Date(role.until).toISOString() })),
    };
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
