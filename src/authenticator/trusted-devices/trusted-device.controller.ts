import { Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { MeTag } from '../../iam/index.js';
import { Bearer, Operation, type Page, Paged, PageOf, toPage } from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import type { PersonPrincipal } from '../../kernel/index.js';
import { TrustedDeviceResponse } from '../management/authenticator.dto.js';
import { TrustedDeviceRepository } from './trusted-device.repository.js';
import { TrustedDeviceService } from './trusted-device.service.js';

/** Devices in which the caller need not enter the second factor. */
@MeTag()
@Bearer('app', { ownProof: 'if-available' })
@Controller('api/v1/iam/me/trusted-devices')
export class TrustedDeviceController {
  constructor(
    private readonly devices: TrustedDeviceRepository,
    private readonly service: TrustedDeviceService,
  ) {}

  @Get()
  @Paged(TrustedDeviceResponse)
  @Operation('List my trusted devices', 'Newest first.')
  async listMyTrustedDevices(@Caller() { userId }: PersonPrincipal, @PageOf() page: Page) {
    return toPage(await this.devices.list(userId, page), page, TrustedDeviceResponse.from);
  }

  @Delete(':id')
  @HttpCode(204)
  @Operation('Remove a trusted device', 'Its next sign-in asks for the second factor. Its sessions go on.')
  async removeTrustedDevice(@Caller() { userId }: PersonPrincipal, @Param('id') id: string): Promise<void> {
    await this.service.remove(userId, id);
  }
}
