import { type Acr, ACRS } from '../../kernel/index.js';
import {
  Input,
  integerField,
  listField,
  objectListField,
  Output,
  textField,
  wordField,
} from '../../platform/api/index.js';

/** Seconds: shorter ones load the token endpoint, longer ones outlive what they stand for. */
const MIN_TOKEN_SECONDS = 60;
const MAX_TOKEN_SECONDS = 3_600;
const MAX_SCOPES = 100;

/** A scope-token of RFC 6749 section 3.3. */
const SCOPE_TOKEN = /^[!#-[\]-~]{1,100}$/;

export const API_IDENTIFIER = textField({
  max: 500,
  pattern: /^https?:\/\/.{1,490}$/,
  shape: 'an https address, or http for localhost',
  example: 'https://orders.example.com/api',
  description:
    'Names the API as `resource` (RFC 8707), and is the audience of its tokens. Without a slash at the end if it has no path.',
});

export const API_NAME = textField({
  max: 100,
  example: 'Orders',
  description: 'Shown to the person who consents.',
});

export const ACCESS_TOKEN_SECONDS = integerField({
  min: MIN_TOKEN_SECONDS,
  max: MAX_TOKEN_SECONDS,
  example: 600,
  description: 'Lifetime of its access tokens, in seconds. Default: 600.',
});

const SCOPE_NAME = textField({
  max: 100,
  pattern: SCOPE_TOKEN,
  shape: 'printable ASCII without spaces, " and \\',
  example: 'orders:read',
});
const SCOPE_TITLE = textField({ max: 200, example: 'Read orders' });
const SCOPE_MAX_AGE = integerField({
  min: 0,
  max: 2_147_483_647,
  example: 900,
  description: 'Seconds: the person must have signed in or confirmed who they are within them.',
});
const SCOPE_ACR = wordField(ACRS, { description: 'Strength that the sign-in must have.' });
const SCOPE_ROLES = listField({
  max: 20,
  itemMax: 64,
  pattern: /^[a-z][a-z0-9-]{0,63}$/,
  message: 'must be the key of a role',
  example: ['admin'],
  description: 'Keys of roles: the person must have one of them in the selected organization.',
});

/** A scope of an API. */
export class ApiScopeDto {
  @Input(SCOPE_NAME)
  @Output(SCOPE_NAME)
  name: string;

  @Input(SCOPE_TITLE)
  @Output(SCOPE_TITLE)
  title: string;

  @Input(SCOPE_MAX_AGE, { optional: true })
  @Output(SCOPE_MAX_AGE, { required: false })
  maxAge?: number;

  @Input(SCOPE_ACR, { optional: true })
  @Output(SCOPE_ACR, { required: false })
  acr?: Acr;

  @Input(SCOPE_ROLES, { optional: true })
  @Output(SCOPE_ROLES, { required: false })
  roles?: string[];
}

export const API_SCOPES = objectListField(() => ApiScopeDto, MAX_SCOPES);

/** Names of scopes of one API. */
export const REACHED_SCOPES = listField({
  max: MAX_SCOPES,
  itemMax: 100,
  pattern: SCOPE_TOKEN,
  message: 'must be a scope of the API',
  example: ['orders:read'],
  description: 'Scopes of the API that the client can have. None ends its access.',
});
