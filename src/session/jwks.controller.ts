import { Controller, Get, Header } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../platform/http/index.js';
import { SigningKeyService } from './signing-key.service.js';

/** The keys by which other services verify access tokens offline. */
@ApiTags('Keys')
@Controller('.well-known/jwks.json')
export class JwksController {
  constructor(private readonly keys: SigningKeyService) {}

  @Get()
  @Public('public keys')
  @Header('Cache-Control', 'public, max-age=300')
  @ApiOperation({ summary: 'Signing keys (JWK Set)' })
  read(): SigningKeyService['jwks'] {
    return this.keys.jwks;
  }
}
