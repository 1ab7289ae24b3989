import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type PublishedKey, PublishesKeysMark } from '../../platform/crypto/index.js';
import { MarkedMethods } from '../../platform/discovery/index.js';
import { ApiOkResponse, Open, Operation, Public, Tag } from '../../platform/api/index.js';
import { JwkSetResponse } from './jwk-set.dto.js';
import { SigningKeyService } from './signing-key.service.js';

const CACHED = 'public, max-age=300';
/**
 * Of a set without a key by RS256: the first one is made when a client that needs it is registered,
 * and the first sign-in must find it.
 */
const CACHED_WITHOUT_RSA = 'public, max-age=5';

/** Publishes the keys by which other services verify access tokens, and webhooks, offline. */
@Tag('Keys', 'Public keys, to verify access tokens and webhooks offline.')
@Open()
@Controller('.well-known/jwks.json')
export class JwksController {
  private published: readonly (() => PublishedKey[] | Promise<PublishedKey[]>)[] | undefined;

  constructor(
    private readonly keys: SigningKeyService,
    private readonly marked: MarkedMethods,
  ) {}

  @Get()
  @Public('public keys')
  @Operation(
    'Get the signing keys (JWK Set)',
    'Access tokens are signed with ES256, or RS256 if their client or API asks for it, ID tokens with RS256 or ES256, webhooks with EdDSA if a subscription asks for it.',
  )
  @ApiOkResponse({
    type: JwkSetResponse,
    headers: {
      'Cache-Control': {
        description: 'Five seconds before a client has needed a key by RS256.',
        required: true,
        schema: { type: 'string', enum: [CACHED, CACHED_WITHOUT_RSA] },
      },
    },
  })
  async getSigningKeys(@Res({ passthrough: true }) response: Response): Promise<JwkSetResponse> {
    this.published ??= this.marked
      .find<true, () => PublishedKey[] | Promise<PublishedKey[]>>(PublishesKeysMark)
      .map(({ method }) => method);
    const further = await Promise.all(this.published.map((publish) => publish()));
    const keys = [...this.keys.jwks.keys, ...further.flat()];
    const hasRsa = keys.some(({ alg }) => alg === 'RS256');
    response.setHeader('Cache-Control', hasRsa ? CACHED : CACHED_WITHOUT_RSA);
    return { keys };
  }
}
