import {
  Input,
  IntersectionType,
  listField,
  PartialType,
  PickType,
  wordField,
} from '../../platform/api/index.js';
import { SCOPE_SHAPE } from '../../ability/index.js';
import { CLIENT_AUTH_METHODS, type ClientAuthMethod } from '../registry/client-traits.js';
import { RegisterSatelliteDto } from '../registry/client.dto.js';

const SCOPES = listField({
  max: 200,
  pattern: SCOPE_SHAPE,
  message: 'must have the format <module>:<entity>:<action>',
  example: ['iam:tenant:read'],
  description: 'Permissions of its tokens in the organization, if the member holds them. None by default.',
});

const AUTH_METHOD = wordField(CLIENT_AUTH_METHODS.filter((method) => method !== 'private_key_jwt'));

const NAMES = ['name', 'redirectUris'] as const;

/** What an organization sets as an operator does. */
const TRAITS = [
  'grantTypes',
  'subjectType',
  'postLogoutRedirectUris',
  'backchannelLogoutUri',
  'requirePar',
  'requireDpop',
  'idTokenAlg',
  'accessTokenAlg',
  'requirePkce',
  'idTokenClaims',
  'assertionAudiences',
  'logoUri',
] as const;

class ClientTraitsDto extends PickType(RegisterSatelliteDto, TRAITS) {
  @Input(SCOPES, { optional: true })
  scopes?: string[];

  @Input(AUTH_METHOD, { optional: true })
  tokenEndpointAuthMethod?: ClientAuthMethod;
}

export class RegisterTenantClientDto extends IntersectionType(
  ClientTraitsDto,
  PickType(RegisterSatelliteDto, [...NAMES, 'type']),
) {}

export class UpdateTenantClientDto extends IntersectionType(
  ClientTraitsDto,
  PartialType(PickType(RegisterSatelliteDto, NAMES)),
) {}
