import { Input, objectListField, Output, timeField, toResponse } from '../../../platform/api/index.js';
import { NamedResponse, namesOf } from '../../accounts/person-name.js';
import { ROLE_END, ROLE_KEY_FIELD, ROLE_KEYS, ROLES_TO_GIVE, type RoleUntil } from '../roles/role.fields.js';
import { MEMBER_SOURCES, MEMBER_STATUSES, type MemberSource, type MemberStatus } from './member.entity.js';
import type { Member } from './member.repository.js';

const MEMBERSHIP_END = timeField({ description: 'When the membership ends. null: never.' });

/** Role that ends. */
class RoleEndResponse {
  @Output(ROLE_KEY_FIELD)
  key: string;
  @Output(ROLE_END)
  until: string;
}

/** A member, without what changes while they work: its `ETag` changes with the membership alone. */
export class MembershipResponse extends NamedResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  userId: string;
  @Output.email({ nullable: true, example: 'ada@example.com' })
  email: string | null;
  @Output(ROLE_KEYS)
  roles: string[];
  @Output.time()
  joinedAt: string;
  @Output.word(MEMBER_STATUSES, { description: 'A suspended member has no access, and keeps the roles.' })
  status: MemberStatus;
  @Output.word(MEMBER_SOURCES, {
    description: 'What added the member: a person (`manual`), a connection or a directory.',
  })
  source: MemberSource;
  @Output(MEMBERSHIP_END, { nullable: true })
  until: string | null;
  @Output(objectListField(() => RoleEndResponse, 100), {
    description: 'When roles end. Roles without an end are left out.',
  })
  roleEnds: RoleEndResponse[];

  static from(member: Member): MembershipResponse {
    return toResponse(MembershipResponse, {
      ...member,
      ...namesOf(member),
      roleEnds: member.roleEnds.map(({ key, until }) => ({ key, until: new Date(until).toISOString() })),
    });
  }
}

/** A member in a list. */
export class MemberResponse extends MembershipResponse {
  @Output.time({
    nullable: true,
    description:
      'Last time a session renewed its token for this organization, to within ten minutes. null if none has.',
  })
  lastActiveAt: string | null;
  @Output.text({
    nullable: true,
    max: 100,
    description: 'Name of the directory that added the member. null for none, or if it is deleted.',
    example: 'Entra ID',
  })
  directoryName: string | null;

  static override from(member: Member & { readonly directoryName: string | null }): MemberResponse {
    const { lastActiveAt, directoryName } = member;
    return { ...super.from(member), lastActiveAt: lastActiveAt?.toISOString() ?? null, directoryName };
  }
}

export type { RoleUntil } from '../roles/role.fields.js';

export class ChangeMemberDto {
  @Input(ROLES_TO_GIVE, { optional: true })
  roles?: (string | RoleUntil)[];

  @Input(MEMBERSHIP_END, { optional: true, nullable: true, example: '2099-12-31T18:00:00.000Z' })
  until?: string | null;
}

/** Query of the list of members, in addition to the page's. */
export class MembersQuery {
  @Input.text({
    optional: true,
    max: 254,
    description:
      'Any part of the name or the address, without regard to case and accents; without three Latin letters or digits in a row, its beginning.',
    example: 'ada',
  })
  query?: string;

  @Input(ROLE_KEY_FIELD, { optional: true, description: 'Key of a role that the member holds.' })
  role?: string;

  @Input.time({
    optional: true,
    description: 'Lists only members whose membership, or a role of whom, ends before this time.',
  })
  expiring?: string;

  @Input.word(MEMBER_STATUSES, { optional: true, description: 'Lists only members in this state.' })
  status?: MemberStatus;

  @Input.word(MEMBER_SOURCES, { optional: true, description: 'Lists only members whom this has added.' })
  source?: MemberSource;
}
