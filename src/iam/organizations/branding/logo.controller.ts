import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { TenantId } from '../../../kernel/index.js';
import { ApiExcludeController, Public } from '../../../platform/api/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { BrandingService } from './branding.service.js';

/**
 * Serves logos of organizations to pages. The type is one of the two that are accepted, and not
 * what was sent with the image; browsers do not guess another (nosniff, as in every response).
 */
@ApiExcludeController()
@Controller('api/v1/iam/auth/logos')
export class LogoController {
  constructor(private readonly brandings: BrandingService) {}

  @Get(':id/:hash')
  @Public('images of pages that are shown before the sign-in')
  async show(@Param('id') id: string, @Param('hash') hash: string, @Res() response: Response): Promise<void> {
    const logo = await this.brandings.findLogo(id as TenantId, hash);
    if (!logo) throw new AppError('not-found');
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    response.setHeader('Content-Disposition', 'inline');
    response.setHeader('Content-Type', logo.type);
    response.send(logo.image);
  }
}
