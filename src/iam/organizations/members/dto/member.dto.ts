import { Input, textField, timeField, wordField } from '../../../../platform/api/index.js';
import { ROLE_KEY_FIELD, ROLES_TO_GIVE, type RoleUntil } from '../../roles/role.fields.js';
import { MEMBERSHIP_END } from '../member.fields.js';
import { MEMBER_SOURCES, MEMBER_STATUSES, type MemberSource, type MemberStatus } from '../member-source.js';

export type { RoleUntil } from '../../roles/role.fields.js';

export class ChangeMemberDto {
  @Input(ROLES_TO_GIVE, { optional: true })
  roles?: (string | RoleUntil)[];

  @Input(MEMBERSHIP_END, { optional: true, nullable: true, example: '2099-12-31T18:00:00.000Z' })
  until?: string | null;
}

/** Query of the list of members, in addition to the page's. */
export class MembersQuery {
  @Input(
    textField({
      max: 254,
      description:
        'Any part of the name or the address, without regard to case and accents; without three Latin letters or digits in a row, its beginning.',
      example: 'ada',
    }),
    { optional: true },
  )
  query?: string;

  @Input(ROLE_KEY_FIELD, { optional: true, description: 'Key of a role that the member holds.' })
  role?: string;

  @Input(
    timeField({
      description: 'Lists only members whose membership, or a role of whom, ends before this time.',
    }),
    { optional: true },
  )
  expiring?: string;

  @Input(wordField(MEMBER_STATUSES, { description: 'Lists only members in this state.' }), { optional: true })
  status?: MemberStatus;

  @Input(wordField(MEMBER_SOURCES, { description: 'Lists only members whom this has added.' }), {
    optional: true,
  })
  source?: MemberSource;
}
