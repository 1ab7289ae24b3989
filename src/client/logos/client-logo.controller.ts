import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { ImageOfHash, sendImage } from '../../iam/index.js';
import { Operation, Problems, Public } from '../../platform/api/index.js';
import { AppError } from '../../platform/errors/index.js';
import { ClientIdParam, SatellitesTag } from '../client.declarations.js';
import { ClientLogos } from './client-logos.js';

/** Serves copies of logos of clients to pages. */
@SatellitesTag()
@Controller('api/v1/iam/auth/client-logos')
export class ClientLogoController {
  constructor(private readonly logos: ClientLogos) {}

  @Get(':clientId/:hash')
  @Public('images of pages that are shown before the sign-in')
  @Problems('not-found')
  @ClientIdParam()
  @ImageOfHash('png', 'webp', 'jpeg')
  @Operation('Get the logo of a client')
  async getClientLogo(
    @Param('clientId') clientId: string,
    @Param('hash') hash: string,
    @Res() response: Response,
  ): Promise<void> {
    const logo = (await this.logos.find(clientId, hash)) ?? AppError.notFound();
    sendImage(response, logo.type, logo.image);
  }
}
