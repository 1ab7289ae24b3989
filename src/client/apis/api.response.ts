import { Output, textField, timeField, ulidField } from '../../platform/api/index.js';
import type { AccessTokenAlg } from '../registry/client-traits.js';
import { ACCESS_TOKEN_ALG } from '../registry/openid-client.fields.js';
import {
  ACCESS_TOKEN_SECONDS,
  API_IDENTIFIER,
  API_NAME,
  API_SCOPES,
  ApiScopeDto,
  REACHED_SCOPES,
} from './api.fields.js';
import type { Api } from './api.repository.js';

const EXAMPLE_ID = '01K3V9D7Q8Z4X5N6M7P8R9S0T8';

export class ApiResponse {
  @Output(ulidField({ example: EXAMPLE_ID }))
  id: string;
  @Output(ulidField({ description: 'Organization that it belongs to.', example: null }), { nullable: true })
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
  @Output(timeField())
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
  @Output(ulidField({ description: 'Id of the API, as which it authenticates.', example: EXAMPLE_ID }))
  clientId: string;
  @Output(
    textField({
      max: 100,
      pattern: '^ghs_[\\w-]{43}$',
      description: 'Cannot be read again: only its hash is stored.',
      example: 'ghs_mWq3hXo0b0y3f2mY7yq1b4Jx2Zk5cT9pVd8sLr6NaEo',
    }),
  )
  clientSecret: string;
  @Output(timeField({ description: 'Time until which the previous credential remains valid.' }), {
    nullable: true,
  })
  previousValidUntil: string | null;

  static of(
    clientId: string,
    { clientSecret, previousValidUntil }: { clientSecret: string; previousValidUntil: Date | null },
  ): ApiCredentialResponse {
    return { clientId, clientSecret, previousValidUntil: previousValidUntil?.toISOString() ?? null };
  }
}

export class ReachedApiResponse {
  @Output(ulidField({ example: EXAMPLE_ID }))
  apiId: string;
  @Output(API_IDENTIFIER)
  identifier: string;
  @Output(API_NAME)
  name: string;
  @Output(REACHED_SCOPES)
  scopes: string[];
}

export class ApiReachResponse {
  @Output(ulidField({ example: EXAMPLE_ID }))
  apiId: string;
  @Output(textField({ max: 64, example: 'help-centre' }))
  clientId: string;
  @Output(REACHED_SCOPES)
  scopes: string[];
}
