import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ApiOkResponse, ApiOperation, ApiParam, Problems, Public } from '../../platform/api/index.js';
import { AppError } from '../../platform/errors/index.js';
import { ClientIdParam } from '../registry/client-id-param.js';
import { SatellitesTag } from '../clients-tag.js';
import { ClientLogos } from './client-logos.js';

const IMAGE = { type: 'string', pattern: '^[\\s\\S]*$', maxLength: 262_144 };

/**
 * Serves copies of logos of clients to pages. The type is that of the bytes, and not what the
 * server of the client said; browsers do not guess another (nosniff, as in every response).
 */
@SatellitesTag()
@Controller('api/v1/iam/auth/client-logos')
export class ClientLogoController {
  constructor(private readonly logos: ClientLogos) {}

  @Get(':clientId/:hash')
  @Public('images of pages that are shown before the sign-in')
  @Problems('not-found')
  @ClientIdParam()
  @ApiParam({
    name: 'hash',
    description: 'SHA-256 of the image.',
    schema: {
      type: 'string',
      pattern: '^[0-9a-f]{64}$',
      maxLength: 64,
      examples: ['0123456789abcdef'.repeat(4)],
    },
  })
  @ApiOperation({ operationId: 'getClientLogo', summary: 'The logo of a client' })
  @ApiOkResponse({
    description: 'The image.',
    content: {
      'image/png': { schema: IMAGE, example: 'the bytes of a PNG' },
      'image/webp': { schema: IMAGE, example: 'the bytes of a WebP' },
      'image/jpeg': { schema: IMAGE, example: 'the bytes of a JPEG' },
    },
  })
  async show(
    @Param('clientId') clientId: string,
    @Param('hash') hash: string,
    @Res() response: Response,
  ): Promise<void> {
    const logo = await this.logos.find(clientId, hash);
    if (!logo) throw new AppError('not-found');
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    response.setHeader('Content-Disposition', 'inline');
    // Whatever a browser makes of the bytes, opened as a page they run and load nothing.
    response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox");
    response.setHeader('Content-Type', logo.type);
    response.send(logo.image);
  }
}
