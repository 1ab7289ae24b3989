import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import type { PersonPrincipal } from '../../kernel/index.js';
import { Answers, Bearer, Operation, Problems } from '../../platform/api/index.js';
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
  @Operation(
    'Find the device of a code',
    `Show the client, its scopes and the code, and let the person confirm. ${LIMIT}`,
  )
  @Answers(DeviceResponse)
  async findDevice(@Caller() caller: PersonPrincipal, @Body() { userCode }: UserCodeDto) {
    return DeviceResponse.from(await this.devices.present(caller, userCode), userCode);
  }

  @Post('approve')
  @Bearer('app', { ownProof: 'by-handler' })
  @HttpCode(204)
  @Problems('insufficient-user-authentication', 'not-a-member')
  @Operation(
    'Sign in on a device',
    `The device gets tokens of the session of the token, and ends with it. ${LIMIT}`,
  )
  approveDevice(
    @Caller() caller: PersonPrincipal,
    @Body() { userCode, tenantId }: ApproveDeviceDto,
  ): Promise<void> {
    return this.devices.approve(caller, userCode, tenantId);
  }

  @Post('deny')
  @Bearer('app', { ownProof: 'by-handler' })
  @HttpCode(204)
  @Operation('Refuse a device', `The device learns that it was refused. ${LIMIT}`)
  denyDevice(@Caller() caller: PersonPrincipal, @Body() { userCode }: UserCodeDto): Promise<void> {
    return this.devices.deny(caller, userCode);
  }
}
