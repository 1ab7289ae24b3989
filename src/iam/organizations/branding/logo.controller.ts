import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { TenantId } from '../../../kernel/index.js';
import { Operation, Problems, Public } from '../../../platform/api/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { OrganizationsTag } from '../organization.declarations.js';
import { BrandingService } from './branding.service.js';
import { ImageOfHash, sendImage } from './images.js';

/** Serves logos of organizations to pages. */
@OrganizationsTag()
@Controller('api/v1/iam/auth/logos')
export class LogoController {
  constructor(private readonly brandings: BrandingService) {}

  @Get(':id/:hash')
  @Public('images of pages that are shown before the sign-in')
  @Problems('not-found')
  @ImageOfHash('png', 'webp')
  @Operation('Get the logo of an organization')
  async getLogo(
    @Param('id') id: string,
    @Param('hash') hash: string,
    @Res() response: Response,
  ): Promise<void> {
    const logo = (await this.brandings.findLogo(id as TenantId, hash)) ?? AppError.notFound();
    sendImage(response, logo.type, logo.image);
  }
}
