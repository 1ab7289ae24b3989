import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { TenantId } from '../../../kernel/index.js';
import { ApiOkResponse, ApiOperation, ApiParam, Problems, Public } from '../../../platform/api/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { OrganizationsTag } from '../tenants/organizations-tag.js';
import { BrandingService } from './branding.service.js';

const IMAGE = { type: 'string', pattern: '^[\\s\\S]*$', maxLength: 262_144 };

/**
 * Serves logos of organizations to pages. The type is one of the two that are accepted, and not
 * what was sent with the image; browsers do not guess another (nosniff, as in every response).
 */
@OrganizationsTag()
@Controller('api/v1/iam/auth/logos')
export class LogoController {
  constructor(private readonly brandings: BrandingService) {}

  @Get(':id/:hash')
  @Public('images of pages that are shown before the sign-in')
  @Problems('not-found')
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
  @ApiOperation({ operationId: 'getLogo', summary: 'The logo of an organization' })
  @ApiOkResponse({
    description: 'The image.',
    content: {
      'image/png': { schema: IMAGE, example: 'the bytes of a PNG' },
      'image/webp': { schema: IMAGE, example: 'the bytes of a WebP' },
    },
  })
  async show(@Param('id') id: string, @Param('hash') hash: string, @Res() response: Response): Promise<void> {
    const logo = await this.brandings.findLogo(id as TenantId, hash);
    if (!logo) throw new AppError('not-found');
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    response.setHeader('Content-Disposition', 'inline');
    response.setHeader('Content-Type', logo.type);
    response.send(logo.image);
  }
}
