import { Controller, Get, Header } from '@nestjs/common';
import {
  Answers,
  AnyQuery,
  objectListField,
  Operation,
  Output,
  Public,
} from '../../../platform/api/index.js';
import { ExternalSignInTag } from '../../external-identity.declarations.js';
import { ConnectionKeys } from '../keys/connection-keys.js';

/** Public key of this service as a client (RFC 7517, RFC 7518 section 6.3). */
class ClientJwkResponse {
  @Output.word(['RSA'])
  kty: string;
  @Output.text({
    max: 512,
    pattern: '^[\\w-]+$',
    description: 'Modulus.',
    example: '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc',
  })
  n: string;
  @Output.text({ max: 12, pattern: '^[\\w-]+$', example: 'AQAB' })
  e: string;
  @Output.text({ max: 26, pattern: '^[0-9A-Z]{26}$', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3' })
  kid: string;
  @Output.word(['sig'])
  use: string;
  @Output.word(['RS256'])
  alg: string;
}

class ClientJwkSetResponse {
  @Output(objectListField(() => ClientJwkResponse, 10))
  keys: ClientJwkResponse[];
}

/** Publishes the keys by which this service authenticates at providers of organizations. */
@ExternalSignInTag()
@Controller('api/iam/auth/external/oidc/jwks')
export class OidcKeysController {
  constructor(private readonly keys: ConnectionKeys) {}

  @Get()
  @Public('public keys, for providers')
  @AnyQuery('fetched by identity providers')
  @Header('Cache-Control', 'public, max-age=300')
  @Operation(
    'Get the keys of this service as a client (JWK Set)',
    'For connections with `private_key_jwt`: a provider verifies by them that a token request is of this service. Several during a rollover: the `kid` of the request names one. Tokens of this service have other keys.',
  )
  @Answers(ClientJwkSetResponse)
  async getClientKeys() {
    const keys = await this.keys.publish();
    return { keys: keys.map(({ kty, n = '', e = '', kid, use, alg }) => ({ kty, n, e, kid, use, alg })) };
  }
}
