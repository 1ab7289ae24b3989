import { Controller, Get, Header } from '@nestjs/common';
import { type PublishedKey, PublishesKeysMark } from '../../platform/crypto/index.js';
import { MarkedMethods } from '../../platform/discovery/index.js';
import { ApiOkResponse, ApiOperation, Public, Tag } from '../../platform/api/index.js';
import { JwkSetResponse } from './jwk-set.response.js';
import { SigningKeyService } from './signing-key.service.js';

/** Publishes the keys by which other services verify access tokens, and webhooks, offline. */
@Tag('Keys', 'Public keys, to verify access tokens and webhooks offline.')
@Controller('.well-known/jwks.json')
export class JwksController {
  private published: readonly (() => PublishedKey[] | Promise<PublishedKey[]>)[] | undefined;

  constructor(
    private readonly keys: SigningKeyService,
    private readonly marked: MarkedMethods,
  ) {}

  @Get()
  @Public('public keys')
  @Header('Cache-Control', 'public, max-age=300')
  @ApiOperation({
    operationId: 'getSigningKeys',
    summary: 'Get the signing keys (JWK Set)',
    description:
      'Access tokens are signed with ES256, ID tokens with RS256 or ES256, webhooks with EdDSA if a subscription asks for it.',
  })
  @ApiOkResponse({ type: JwkSetResponse })
  async read(): Promise<JwkSetResponse> {
    this.published ??= this.marked
      .find<true, () => PublishedKey[] | Promise<PublishedKey[]>>(PublishesKeysMark)
      .map(({ method }) => method);
    const further = await Promise.all(this.published.map((publish) => publish()));
    return { keys: [...this.keys.jwks.keys, ...further.flat()] };
  }
}
