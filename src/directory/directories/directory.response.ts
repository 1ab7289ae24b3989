import {
  objectListField,
  Output,
  PickType,
  textField,
  timeField,
  ulidField,
  wordField,
} from '../../platform/api/index.js';
import { nameOf, WHOLE_NAME } from '../../iam/index.js';
import {
  BASE_URL,
  CONNECTION_ID,
  DIRECTORY_ID,
  EXPIRES_AT,
  GROUP,
  GROUP_ID,
  MATCH_ATTRIBUTE,
  MEMBERS_OF_GROUP,
  MEMBERS_OF_RULE,
  NAME,
  ON_DELETE,
  RULE_ROLES,
  RULE_THINGS,
  STATE,
  STATUS,
  STATUS_CODE,
  TOKEN,
  TOKEN_ID,
  WITHOUT_ADDRESS,
} from '../directory.fields.js';
import { type CountedGroup, MAX_GROUPS } from '../records/directory-people.repository.js';
import type { DirectoryUserEntity } from '../records/user.entity.js';
import { REASONS } from '../records/user.entity.js';
import { personNameOf } from '../scim/attributes.js';
import type { LoggedCall } from './directory-log.repository.js';
import type { DirectoryToken } from './directory-token.repository.js';
import type { NamedRule } from './directory-rule.repository.js';
import type { DirectoryEntity } from './directory.entity.js';

export class DirectoryResponse {
  @Output(DIRECTORY_ID)
  id: string;
  @Output(NAME)
  name: string;
  @Output(BASE_URL)
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
  @Output(timeField())
  createdAt: string;

  static from(directory: DirectoryEntity, publicUrl: string): DirectoryResponse {
    const { id, name, status, connectionId, onDelete, withoutAddress, matchAttribute, createdAt } = directory;
    return {
      id,
      name,
      baseUrl: `${publicUrl}/api/scim/v2/${id}`,
      status,
      connectionId,
      onDelete,
      withoutAddress,
      matchAttribute,
      createdAt: createdAt.toISOString(),
    };
  }
}

/** What the holder of a set-up link needs of its directory. */
export class SetupDirectoryResponse extends PickType(DirectoryResponse, ['id', 'name', 'baseUrl'] as const) {
  static of(directory: DirectoryEntity, publicUrl: string): SetupDirectoryResponse {
    const { id, name, baseUrl } = DirectoryResponse.from(directory, publicUrl);
    return { id, name, baseUrl };
  }
}

export class DirectoryTokenResponse {
  @Output(TOKEN_ID)
  id: string;
  @Output(NAME)
  name: string;
  @Output(timeField())
  createdAt: string;
  @Output(EXPIRES_AT, { nullable: true })
  expiresAt: string | null;
  @Output(timeField({ description: 'To the minute.' }), { nullable: true })
  lastUsedAt: string | null;
  @Output(
    timeField({
      description:
        'Since when calls are refused: the member who created the token could not create it any more. Null while it works.',
    }),
    { nullable: true },
  )
  stoppedAt: string | null;

  static from({
    id,
    name,
    createdAt,
    expiresAt,
    lastUsedAt,
    stoppedAt,
  }: DirectoryToken): DirectoryTokenResponse {
    return {
      id,
      name,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt?.toISOString() ?? null,
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
      stoppedAt: stoppedAt?.toISOString() ?? null,
    };
  }
}

export class DirectoryTokensResponse {
  @Output(objectListField(() => DirectoryTokenResponse, 2))
  items: DirectoryTokenResponse[];
}

export class CreatedDirectoryTokenResponse extends DirectoryTokenResponse {
  @Output(TOKEN)
  token: string;
}

/** A person as a directory sent them. */
export class DirectoryUserResponse {
  @Output(ulidField({ description: 'Id of the user in SCIM.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T7' }))
  id: string;
  @Output(textField({ max: 255, example: 'ada@example.com' }))
  userName: string;
  @Output(WHOLE_NAME, { nullable: true, description: 'Name as the directory sent it; null without one.' })
  name: string | null;
  @Output(STATE)
  state: string;
  @Output(
    wordField(REASONS, { description: 'Why the person waits or is refused, or keeps the number before.' }),
    { nullable: true },
  )
  reason: string | null;
  @Output(wordField(['active', 'inactive'] as const, { description: 'What the directory says of them.' }))
  status: string;
  @Output(ulidField({ description: 'The member.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' }), {
    nullable: true,
  })
  userId: string | null;
  @Output(timeField())
  updatedAt: string;

  static from(user: DirectoryUserEntity): DirectoryUserResponse {
    const { id, state, reason, active, accountId, updatedAt, attributes } = user;
    return {
      id,
      userName: String(attributes['userName']),
      name: nameOf(personNameOf(attributes)),
      state,
      reason,
      status: active ? 'active' : 'inactive',
      userId: accountId,
      updatedAt: updatedAt.toISOString(),
    };
  }
}

/** A group of a directory. */
export class DirectoryGroupResponse {
  @Output(GROUP_ID)
  id: string;
  @Output(GROUP)
  name: string;
  @Output(MEMBERS_OF_GROUP)
  members: number;
  @Output(timeField())
  updatedAt: string;

  static from({ updatedAt, ...group }: CountedGroup): DirectoryGroupResponse {
    return { ...group, updatedAt: updatedAt.toISOString() };
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
  @Output(MEMBERS_OF_RULE)
  members: number;
}

export class DirectoryRulesPreviewResponse {
  @Output(objectListField(() => PreviewedRuleResponse, 50))
  rules: PreviewedRuleResponse[];
}

/** A call of a directory. */
export class DirectoryCallResponse {
  @Output(ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T9' }))
  id: string;
  @Output(timeField())
  at: string;
  @Output(wordField(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const))
  method: string;
  @Output(
    textField({ max: 300, description: 'Below the base address, without the query.', example: '/Users' }),
  )
  path: string;
  @Output(STATUS_CODE)
  status: number;
  @Output(textField({ max: 50, description: '`scimType` of the error.', example: 'uniqueness' }), {
    nullable: true,
  })
  scimType: string | null;
  @Output(
    textField({
      max: 500,
      description: 'Reason of the refusal.',
      example: 'Another user has this userName.',
    }),
    {
      nullable: true,
    },
  )
  detail: string | null;

  static from({ at, ...call }: LoggedCall): DirectoryCallResponse {
    return { ...call, at: at.toISOString() };
  }
}
