import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import type { PersonPrincipal } from '../../kernel/index.js';
import { ApiOkResponse, ApiOperation, Bearer, Problems } from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { OpenIdTag } from '../openid-tag.js';
import { ApproveDeviceDto, DeviceResponse, UserCodeDto } from './device.dto.js';
import { DeviceService } from './device.service.js';

const LIMIT = 'Five wrong codes per session and minute: then 429.';

/** Devices that wait for a person, for the page on which the person enters a code. */
@OpenIdTag()
@Controller('api/v1/iam/auth/devices')
export class DeviceController {
  constructor(private readonly devices: DeviceService) {}

  @Post('find')
  @Bearer('app', { ownProof: 'by-handler' })
  @HttpCode(200)
  @ApiOperation({
    operationId: 'findDevice',
    summary: 'Find the device of a code',
    description: `Show the client, its scopes and the code, and let the person confirm. ${LIMIT}`,
  })
  @ApiOkResponse({ type: DeviceResponse })
  async find(@Caller() caller: PersonPrincipal, @Body() { userCode }: UserCodeDto): Promise<DeviceResponse> {
    return DeviceResponse.from(await this.devices.present(caller, userCode), userCode);
  }

  @Post('approve')
  @Bearer('app', { ownProof: 'by-handler' })
  @HttpCode(204)
  @Problems('insufficient-user-authentication', 'not-a-member')
  @ApiOperation({
    operationId: 'approveDevice',
    summary: 'Sign in on a device',
    description: `The device gets tokens of the session of the token, and ends with it. ${LIMIT}`,
  })
  approve(
    @Caller() caller: PersonPrincipal,
    @Body() { userCode, tenantId }: ApproveDeviceDto,
  ): Promise<void> {
    return this.devices.approve(caller, userCode, tenantId);
  }

  @Post('deny')
  @Bearer('app', { ownProof: 'by-handler' })
  @HttpCode(204)
  @ApiOperation({
    operationId: 'denyDevice',
    summary: 'Refuse a device',
    description: `The device learns that it was refused. ${LIMIT}`,
  })
  deny(@Caller() caller: PersonPrincipal, @Body() { userCode }: UserCodeDto): Promise<void> {
    return this.devices.deny(caller, userCode);
  }
}
