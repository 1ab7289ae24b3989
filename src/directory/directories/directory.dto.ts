import { nameOf, thingsField, WHOLE_NAME } from '../../iam/index.js';
import {
  Input,
  listField,
  MAX_COUNTED,
  objectListField,
  Output,
  PartialType,
  PickType,
  textField,
  timeField,
  toResponse,
  ulidField,
  wordField,
} from '../../platform/api/index.js';
import { type CountedGroup, MAX_GROUPS } from '../records/directory-people.repository.js';
import { type DirectoryUserEntity, REASONS } from '../records/record.entity.js';
import { personNameOf } from '../scim/attributes.js';
import type { LoggedCall } from './directory-log.repository.js';
import type { DirectoryToken } from './directory-token.repository.js';
import type { NamedRule } from './directory-rule.repository.js';
import type { DirectoryEntity, DirectoryStatus, OnDelete, WithoutAddress } from './directory.entity.js';

const DIRECTORY_ID = ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T5' });
const NAME = textField({ max: 100, example: 'Entra ID' });

const CONNECTION_ID = ulidField({
  description: 'Connection by which the people of the directory sign in.',
  example: '01K3V9D7Q8Z4X5N6M7P8R9S0T6',
});

const STATUS = wordField(['active', 'disabled'] as const, {
  description: '`disabled`: its tokens are refused.',
});

const ON_DELETE = wordField(['suspend', 'erase'] as const, {
  description:
    'What a DELETE of a user does to an account that the directory manages. `erase` cannot be undone; Entra ID also deletes whom it no longer syncs.',
});

const WITHOUT_ADDRESS = wordField(['wait', 'worker'] as const, {
  description:
    'What becomes of a person without an address. `wait`: nothing, until an address is sent. `worker`: a worker, with the `employeeNumber` of the enterprise extension as number, else the `externalId`, else the `userName`.',
});

const MATCH_ATTRIBUTE = textField({
  max: 100,
  pattern: /^[A-Za-z][A-Za-z0-9]{0,99}$/,
  shape: 'the name of an attribute',
  description: 'Attribute of a user that holds the subject at the connection.',
  example: 'externalId',
});

const EXPIRES_AT = timeField({ description: 'Time from which the token is refused.' });

const GROUP = textField({ max: 255, description: 'Name of a group, or its id.', example: 'Dispatch' });

const GROUP_ID = ulidField({
  description: 'The group, once the directory has sent it.',
  example: '01K3V9D7Q8Z4X5N6M7P8R9S0T8',
});

const RULE_ROLES = listField({
  min: 1,
  max: 20,
  itemMax: 50,
  pattern: /^[a-z][a-z0-9-]{0,49}$/,
  message: 'must be the key of a role',
  description: 'Keys of the roles that members of the group get.',
  example: ['member'],
});

const RULE_THINGS = thingsField(
  20,
  'Things on which the roles hold, and on what is below them. Default: the whole organization.',
);

const STATE = wordField(['pending', 'linked', 'refused'] as const, {
  description: '`pending`: invited, without access. `refused`: see `reason`.',
});

export class DirectoryResponse {
  @Output(DIRECTORY_ID)
  id: string;
  @Output(NAME)
  name: string;
  @Output.text({
    max: 300,
    description: 'Address of SCIM, which the identity provider asks for ("Tenant URL", "Base URL").',
    example: 'https://id.example.com/api/scim/v2/01K3V9D7Q8Z4X5N6M7P8R9S0T5',
  })
  baseUrl: string;
  @Output(STATUS)
  status: string;
  @Output(CONNECTION_ID, { nullable: true })
  connectionId: string | null;
  @Output(ON_DELETE)
  onDelete: string;
  @Output(WITHOUT_ADDRESS)
  withoutAddress: string;
  @Output(MATCH_ATTRIBUTE)
  matchAttribute: string;
  @Output.time()
  createdAt: string;

  static from(directory: DirectoryEntity, publicUrl: string): DirectoryResponse {
    return toResponse(DirectoryResponse, {
      ...directory,
      baseUrl: `${publicUrl}/api/scim/v2/${directory.id}`,
    });
  }
}

/** What the holder of a set-up link needs of its directory. */
export class SetupDirectoryResponse extends PickType(DirectoryResponse, ['id', 'name', 'baseUrl'] as const) {
  static of(directory: DirectoryEntity, publicUrl: string): SetupDirectoryResponse {
    return toResponse(SetupDirectoryResponse, DirectoryResponse.from(directory, publicUrl));
  }
}

export class DirectoryTokenResponse {
  @Output.text({
    max: 10,
    pattern: /^[0-9A-Za-z]{10}$/,
    shape: 'the id of a token',
    example: '4fJ0qLx81Z',
  })
  id: string;
  @Output(NAME)
  name: string;
  @Output.time()
  createdAt: string;
  @Output(EXPIRES_AT, { nullable: true })
  expiresAt: string | null;
  @Output.time({ nullable: true, description: 'To the minute.' })
  lastUsedAt: string | null;
  @Output.time({
    nullable: true,
    description:
      'Since when calls are refused: the member who created the token could not create it any more. Null while it works.',
  })
  stoppedAt: string | null;

  static from(token: DirectoryToken): DirectoryTokenResponse {
    return toResponse(DirectoryTokenResponse, token);
  }
}

export class DirectoryTokensResponse {
  @Output(objectListField(() => DirectoryTokenResponse, 2))
  items: DirectoryTokenResponse[];
}

export class CreatedDirectoryTokenResponse extends DirectoryTokenResponse {
  @Output.text({
    max: 60,
    pattern: /^gh_scim_[0-9A-Za-z]{10}_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/,
    description: 'The token. Cannot be read again.',
    example: 'gh_scim_4fJ0qLx81Z_7GdkP0sYwRzq2VnB5mXc9JtLh3Ee6Fa1_0Q2w3E',
  })
  token: string;
}

/** A person as a directory sent them. */
export class DirectoryUserResponse {
  @Output.ulid({ description: 'Id of the user in SCIM.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T7' })
  id: string;
  @Output.text({ max: 255, example: 'ada@example.com' })
  userName: string;
  @Output(WHOLE_NAME, { nullable: true, description: 'Name as the directory sent it; null without one.' })
  name: string | null;
  @Output(STATE)
  state: string;
  @Output.word(REASONS, {
    nullable: true,
    description: 'Why the person waits or is refused, or keeps the number before.',
  })
  reason: string | null;
  @Output.word(['active', 'inactive'] as const, { description: 'What the directory says of them.' })
  status: string;
  @Output.ulid({ nullable: true, description: 'The member.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' })
  userId: string | null;
  @Output.time()
  updatedAt: string;

  static from(user: DirectoryUserEntity): DirectoryUserResponse {
    return toResponse(DirectoryUserResponse, {
      ...user,
      userName: String(user.attributes['userName']),
      name: nameOf(personNameOf(user.attributes)),
      status: user.active ? 'active' : 'inactive',
      userId: user.accountId,
    });
  }
}

/** A group of a directory. */
export class DirectoryGroupResponse {
  @Output(GROUP_ID)
  id: string;
  @Output(GROUP)
  name: string;
  @Output.integer({
    min: 0,
    max: MAX_COUNTED,
    description: 'Number of people in the group. Counted to 10,000.',
    example: 12,
  })
  members: number;
  @Output.time()
  updatedAt: string;

  static from(group: CountedGroup): DirectoryGroupResponse {
    return toResponse(DirectoryGroupResponse, group);
  }
}

/** A group of a member, with the directory that it is from. */
class MemberGroupResponse {
  @Output(GROUP_ID)
  id: string;
  @Output(GROUP)
  name: string;
  @Output(DIRECTORY_ID)
  directoryId: string;
  @Output(NAME)
  directoryName: string;
}

export class MemberGroupsResponse {
  @Output(objectListField(() => MemberGroupResponse, MAX_GROUPS))
  groups: MemberGroupResponse[];
}

export class DirectoryRuleResponse {
  @Output(GROUP)
  group: string;
  @Output(GROUP_ID, { nullable: true })
  groupId: string | null;
  @Output(RULE_ROLES)
  roles: string[];
  @Output(RULE_THINGS, { nullable: true })
  on: string[] | null;
}

export class DirectoryRulesResponse {
  @Output(objectListField(() => DirectoryRuleResponse, 50))
  rules: DirectoryRuleResponse[];

  static from(rules: readonly NamedRule[]): DirectoryRulesResponse {
    return {
      rules: rules.map(({ groupName, groupId, roles, things }) => ({
        group: groupName,
        groupId,
        roles,
        on: things && things.map((thing) => `gatehouse:///${thing}`),
      })),
    };
  }
}

/** What a rule would do. */
export class PreviewedRuleResponse {
  @Output(GROUP)
  group: string;
  @Output(GROUP_ID, { nullable: true })
  groupId: string | null;
  @Output.integer({
    min: 0,
    max: MAX_COUNTED,
    description: 'Number of members to whom the group gives roles. Counted to 10,000.',
    example: 12,
  })
  members: number;
}

export class DirectoryRulesPreviewResponse {
  @Output(objectListField(() => PreviewedRuleResponse, 50))
  rules: PreviewedRuleResponse[];
}

/** A call of a directory. */
export class DirectoryCallResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T9' })
  id: string;
  @Output.time()
  at: string;
  @Output.word(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const)
  method: string;
  @Output.text({ max: 300, description: 'Below the base address, without the query.', example: '/Users' })
  path: string;
  @Output.integer({ min: 100, max: 599, description: 'HTTP status.', example: 201 })
  status: number;
  @Output.text({ nullable: true, max: 50, description: '`scimType` of the error.', example: 'uniqueness' })
  scimType: string | null;
  @Output.text({
    nullable: true,
    max: 500,
    description: 'Reason of the refusal.',
    example: 'Another user has this userName.',
  })
  detail: string | null;

  static from(call: LoggedCall): DirectoryCallResponse {
    return toResponse(DirectoryCallResponse, call);
  }
}

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

  @Input.text({
    optional: true,
    max: 254,
    description:
      'Any part of names, user name or address, without regard to case and accents; without three Latin letters or digits in a row, the beginning of the user name or display name.',
    example: 'lovela',
  })
  query?: string;

  @Input(GROUP_ID, { optional: true, description: 'People in this group.' })
  groupId?: string;
}

/** Query of the groups of a member. */
export class MemberGroupsQuery {
  @Input.ulid({
    optional: true,
    description: 'The member. Default: the caller.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2',
  })
  userId?: string;
}
