import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, Public, Tag } from '../../platform/api/index.js';
import { JwkSetResponse } from './jwk-set.response.js';
import { SigningKeyService } from './signing-key.service.js';

/** The keys by which other services verify access tokens offline. */
@Tag('Keys', 'Public keys, to verify access tokens without asking.')
@Controller('.well-known/jwks.json')
export class JwksController {
  constructor(private readonly keys: SigningKeyService) {}

  @Get()
  @Public('public keys')
  @Header('Cache-Control', 'public, max-age=300')
  @ApiOperation({ summary: 'Signing keys (JWK Set)' })
  @ApiOkResponse({ type: JwkSetResponse })
  read(): SigningKeyService['jwks'] {
    return this.keys.jwks;
  }
}
