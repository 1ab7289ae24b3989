import {
  Input,
  objectListField,
  PartialType,
  PickType,
  textField,
  ulidField,
} from '../../../platform/api/index.js';
import {
  CONNECTION_ID,
  EXPIRES_AT,
  GROUP,
  GROUP_ID,
  MATCH_ATTRIBUTE,
  NAME,
  ON_DELETE,
  RULE_ROLES,
  RULE_THINGS,
  STATE,
  STATUS,
  WITHOUT_ADDRESS,
} from '../../directory.fields.js';
import type { DirectoryStatus, OnDelete, WithoutAddress } from '../directory.entity.js';

export class CreateDirectoryDto {
  @Input(NAME)
  name: string;

  @Input(CONNECTION_ID, { optional: true, nullable: true, example: null })
  connectionId?: string | null;

  @Input(ON_DELETE, { optional: true })
  onDelete?: OnDelete;

  @Input(WITHOUT_ADDRESS, { optional: true })
  withoutAddress?: WithoutAddress;

  @Input(MATCH_ATTRIBUTE, { optional: true })
  matchAttribute?: string;
}

export class UpdateDirectoryDto extends PartialType(CreateDirectoryDto) {
  @Input(STATUS, { optional: true })
  status?: DirectoryStatus;
}

/** A directory, or a token, that the holder of a set-up link names. */
export class SetupDirectoryDto extends PickType(CreateDirectoryDto, ['name'] as const) {}

export class CreateDirectoryTokenDto {
  @Input(NAME, { example: 'Since January' })
  name: string;

  @Input(EXPIRES_AT, {
    optional: true,
    nullable: true,
    description: 'Default: never.',
    example: '2099-01-01T00:00:00.000Z',
  })
  expiresAt?: string | null;
}

/** A rule by which members of a group get roles. */
export class DirectoryRuleDto {
  @Input(GROUP)
  group: string;

  @Input(RULE_ROLES)
  roles: string[];

  @Input(RULE_THINGS, { optional: true, nullable: true, example: null })
  on?: string[] | null;
}

export class DirectoryRulesDto {
  @Input(objectListField(() => DirectoryRuleDto, 50))
  rules: DirectoryRuleDto[];
}

/** Query of the people of a directory, in addition to the page's. */
export class DirectoryUsersQuery {
  @Input(STATE, { optional: true })
  state?: string;

  @Input(
    textField({
      max: 254,
      description:
        'Any part of names, user name or address, without regard to case and accents; without three Latin letters or digits in a row, the beginning of the user name or display name.',
      example: 'lovela',
    }),
    { optional: true },
  )
  query?: string;

  @Input(GROUP_ID, { optional: true, description: 'People in this group.' })
  groupId?: string;
}

/** Query of the groups of a member. */
export class MemberGroupsQuery {
  @Input(
    ulidField({ description: 'The member. Default: the caller.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' }),
    {
      optional: true,
    },
  )
  userId?: string;
}
