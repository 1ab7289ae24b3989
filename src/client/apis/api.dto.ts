import { type Acr, ACRS } from '../../kernel/index.js';
import {
  Input,
  integerField,
  listField,
  objectListField,
  Output,
  PartialType,
  PickType,
  textField,
  wordField,
} from '../../platform/api/index.js';
import type { AccessTokenAlg } from '../registry/client-traits.js';
import { ACCESS_TOKEN_ALG } from '../registry/openid-client.fields.js';
import type { Api } from './api.repository.js';

/** Seconds: shorter ones load the token endpoint, longer ones outlive what they stand for. */
const MIN_TOKEN_SECONDS = 60;
const MAX_TOKEN_SECONDS = 3_600;
const MAX_SCOPES = 100;

/** A scope-token of RFC 6749 section 3.3. */
const SCOPE_TOKEN = /^[!#-[\]-~]{1,100}$/;

const API_IDENTIFIER = textField({
  max: 500,
  pattern: /^https?:\/\/.{1,490}$/,
  shape: 'an https address, or http for localhost',
  example: 'https://orders.example.com/api',
  description:
    'Names the API as `resource` (RFC 8707), and is the audience of its tokens. Without a slash at the end if it has no path.',
});

const API_NAME = textField({
  max: 100,
  example: 'Orders',
  description: 'Shown to the person who consents.',
});

const ACCESS_TOKEN_SECONDS = integerField({
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

const API_SCOPES = objectListField(() => ApiScopeDto, MAX_SCOPES);

/** Names of scopes of one API. */
const REACHED_SCOPES = listField({
  max: MAX_SCOPES,
  itemMax: 100,
  pattern: SCOPE_TOKEN,
  message: 'must be a scope of the API',
  example: ['orders:read'],
  description: 'Scopes of the API that the client can have. None ends its access.',
});

const EXAMPLE_ID = '01K3V9D7Q8Z4X5N6M7P8R9S0T8';

export class ApiResponse {
  @Output.ulid({ example: EXAMPLE_ID })
  id: string;
  @Output.ulid({ nullable: true, description: 'Organization that it belongs to.', example: null })
  tenantId: string | null;
  @Output(API_IDENTIFIER)
  identifier: string;
  @Output(API_NAME)
  name: string;
  @Output(API_SCOPES)
  scopes: ApiScopeDto[];
  @Output(ACCESS_TOKEN_SECONDS)
  accessTokenSeconds: number;
  @Output(ACCESS_TOKEN_ALG)
  accessTokenAlg: AccessTokenAlg;
  @Output.time()
  createdAt: string;

  static from({ createdAt, scopes, ...api }: Api): ApiResponse {
    return {
      ...api,
      scopes: scopes.map(({ roles, ...scope }) => ({ ...scope, ...(roles && { roles: [...roles] }) })),
      createdAt: createdAt.toISOString(),
    };
  }
}

export class ApiCredentialResponse {
  @Output.ulid({ description: 'Id of the API, as which it authenticates.', example: EXAMPLE_ID })
  clientId: string;
  @Output.text({
    max: 100,
    pattern: '^ghs_[\\w-]{43}$',
    description: 'Cannot be read again: only its hash is stored.',
    example: 'ghs_mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
  })
  clientSecret: string;
  @Output.time({ nullable: true, description: 'Time until which the previous credential remains valid.' })
  previousValidUntil: string | null;

  static of(
    clientId: string,
    { clientSecret, previousValidUntil }: { clientSecret: string; previousValidUntil: Date | null },
  ): ApiCredentialResponse {
    return { clientId, clientSecret, previousValidUntil: previousValidUntil?.toISOString() ?? null };
  }
}

export class ReachedApiResponse {
  @Output.ulid({ example: EXAMPLE_ID })
  apiId: string;
  @Output(API_IDENTIFIER)
  identifier: string;
  @Output(API_NAME)
  name: string;
  @Output(REACHED_SCOPES)
  scopes: string[];
}

export class ApiReachResponse {
  @Output.ulid({ example: EXAMPLE_ID })
  apiId: string;
  @Output.text({ max: 64, example: 'help-centre' })
  clientId: string;
  @Output(REACHED_SCOPES)
  scopes: string[];
}

export class RegisterApiDto {
  @Input(API_IDENTIFIER)
  identifier: string;

  @Input(API_NAME)
  name: string;

  @Input(API_SCOPES, { optional: true })
  scopes?: ApiScopeDto[];

  @Input(ACCESS_TOKEN_SECONDS, { optional: true })
  accessTokenSeconds?: number;

  @Input(ACCESS_TOKEN_ALG, { optional: true })
  accessTokenAlg?: AccessTokenAlg;
}

/** The identifier stays: services compare it with the audience of their tokens. */
export class UpdateApiDto extends PartialType(
  PickType(RegisterApiDto, ['name', 'scopes', 'accessTokenSeconds', 'accessTokenAlg']),
) {}

export class SetReachDto {
  @Input(REACHED_SCOPES)
  scopes: string[];
}
