import { thingsField } from '../iam/index.js';
import {
  integerField,
  listField,
  MAX_COUNTED,
  textField,
  timeField,
  ulidField,
  wordField,
} from '../platform/api/index.js';

export const DIRECTORY_ID = ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T5' });
export const NAME = textField({ max: 100, example: 'Entra ID' });

export const CONNECTION_ID = ulidField({
  description: 'Connection by which the people of the directory sign in.',
  example: '01K3V9D7Q8Z4X5N6M7P8R9S0T6',
});

export const STATUS = wordField(['active', 'disabled'] as const, {
  description: '`disabled`: its tokens are refused.',
});

export const ON_DELETE = wordField(['suspend', 'erase'] as const, {
  description:
    'What a DELETE of a user does to an account that the directory manages. `erase` cannot be undone; Entra ID also deletes whom it no longer syncs.',
});

export const WITHOUT_ADDRESS = wordField(['wait', 'worker'] as const, {
  description:
    'What becomes of a person without an address. `wait`: nothing, until an address is sent. `worker`: a worker, with the `employeeNumber` of the enterprise extension as number, else the `externalId`, else the `userName`.',
});

export const MATCH_ATTRIBUTE = textField({
  max: 100,
  pattern: /^[A-Za-z][A-Za-z0-9]{0,99}$/,
  shape: 'the name of an attribute',
  description: 'Attribute of a user that holds the subject at the connection.',
  example: 'externalId',
});

export const BASE_URL = textField({
  max: 300,
  description: 'Address of SCIM, which the identity provider asks for ("Tenant URL", "Base URL").',
  example: 'https://id.example.com/api/scim/v2/01K3V9D7Q8Z4X5N6M7P8R9S0T5',
});

export const TOKEN_ID = textField({
  max: 10,
  pattern: /^[0-9A-Za-z]{10}$/,
  shape: 'the id of a token',
  example: '4fJ0qLx81Z',
});

export const TOKEN = textField({
  max: 60,
  pattern: /^gh_scim_[0-9A-Za-z]{10}_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/,
  description: 'The token. Cannot be read again.',
  example: 'gh_scim_4fJ0qLx81Z_7GdkP0sYwRzq2VnB5mXc9JtLh3Ee6Fa1_0Q2w3E',
});

export const EXPIRES_AT = timeField({ description: 'Time from which the token is refused.' });

export const GROUP = textField({ max: 255, description: 'Name of a group, or its id.', example: 'Dispatch' });

export const GROUP_ID = ulidField({
  description: 'The group, once the directory has sent it.',
  example: '01K3V9D7Q8Z4X5N6M7P8R9S0T8',
});

export const MEMBERS_OF_RULE = integerField({
  min: 0,
  max: MAX_COUNTED,
  description: 'Number of members to whom the group gives roles. Counted to 10,000.',
  example: 12,
});

export const MEMBERS_OF_GROUP = integerField({
  min: 0,
  max: MAX_COUNTED,
  description: 'Number of people in the group. Counted to 10,000.',
  example: 12,
});

export const RULE_ROLES = listField({
  min: 1,
  max: 20,
  itemMax: 50,
  pattern: /^[a-z][a-z0-9-]{0,49}$/,
  message: 'must be the key of a role',
  description: 'Keys of the roles that members of the group get.',
  example: ['member'],
});

export const RULE_THINGS = thingsField(
  20,
  'Things on which the roles hold, and on what is below them. Default: the whole organization.',
);

export const STATE = wordField(['pending', 'linked', 'refused'] as const, {
  description: '`pending`: invited, without access. `refused`: see `reason`.',
});

export const STATUS_CODE = integerField({ min: 100, max: 599, description: 'HTTP status.', example: 201 });
