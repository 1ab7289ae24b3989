import { Input, PartialType, PickType } from '../../../platform/api/index.js';
import type { AccessTokenAlg } from '../../registry/client-traits.js';
import { ACCESS_TOKEN_ALG } from '../../registry/openid-client.fields.js';
import {
  ACCESS_TOKEN_SECONDS,
  API_IDENTIFIER,
  API_NAME,
  API_SCOPES,
  type ApiScopeDto,
  REACHED_SCOPES,
} from '../api.fields.js';

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
