import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, Public, Tag } from '../../platform/api/index.js';
import { JwkSetResponse } from './jwk-set.response.js';
import { SigningKeyService } from './signing-key.service.js';

/** Publishes the keys by which other services verify access tokens offline. */
@Tag('Keys', 'Public keys, to verify access tokens offline.')
@Controller('.well-known/jwks.json')
export class JwksController {
  constructor(private readonly keys: SigningKeyService) {}

  @Get()
  @Public('public keys')
  @Header('Cache-Control', 'public, max-age=300')
  @ApiOperation({ operationId: 'getSigningKeys', summary: 'Get the signing keys (JWK Set)' })
  @ApiOkResponse({ type: JwkSetResponse })
  read(): SigningKeyService['jwks'] {
    return this.keys.jwks;
  }
}
