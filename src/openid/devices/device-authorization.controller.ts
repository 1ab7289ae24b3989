import { Controller, Inject, Post, Req, Res, HttpCode } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiOkResponse, Open, Operation, Output, textField } from '../../platform/api/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { clientIpOf } from '../../platform/web/index.js';
import { OpenIdTag } from '../openid-tag.js';
import { RequestedResource } from '../token/requested-resource.js';
import { answerOAuth, OAuthEndpoint, oauthParametersOf } from '../token/oauth-request.js';
import { ClientAuthenticator } from '../token/client-authenticator.js';
import { OAuthError } from '../token/oauth-error.js';
import { DEVICE_SECONDS, DeviceService, POLL_SECONDS } from './device.service.js';
import { formatUserCode } from './user-code.js';

const address = (example: string) => textField({ max: 500, format: 'uri', example });

/** Response to a device (RFC 8628 section 3.2). */
class DeviceAuthorizationResponse {
  @Output.text({ max: 100, example: 'Yl5sQpD3c8m0bq4T1xkq1S2m2o3q0b8mC8o6wq1nJ2E' })
  device_code: string;
  @Output.text({ max: 9, example: 'WDJB-MJHT', description: 'The device shows it to the person.' })
  user_code: string;
  @Output(address('https://login.example.com/device'))
  verification_uri: string;
  @Output(address('https://login.example.com/device?user_code=WDJB-MJHT'))
  verification_uri_complete: string;
  @Output.integer({ min: 1, max: 3_600, example: DEVICE_SECONDS, description: 'Seconds.' })
  expires_in: number;
  @Output.integer({ min: 1, max: 600, example: POLL_SECONDS, description: 'Seconds between polls.' })
  interval: number;
}

/** The device authorization endpoint (RFC 8628 section 3.1). */
@OpenIdTag()
@Open()
@Controller('oauth2/device_authorization')
export class DeviceAuthorizationController {
  constructor(
    private readonly clients: ClientAuthenticator,
    private readonly devices: DeviceService,
    private readonly resources: RequestedResource,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Post()
  @OAuthEndpoint()
  @Operation(
    'Start the sign-in of a device',
    'For a device without a browser or keyboard, with `scope` in a form. It shows the `user_code` and the address, and asks at `/oauth2/token` until the person has decided. Errors are those of RFC 6749 section 5.2.',
  )
  @HttpCode(200)
  @ApiOkResponse({ type: DeviceAuthorizationResponse })
  authorizeDevice(@Req() request: Request, @Res() response: Response): Promise<void> {
    const parameters = oauthParametersOf(request);
    return answerOAuth(request, response, async (authorization) => {
      // None are read of a form that repeats one, nor of another body: no device asks so.
      if (Object.keys(parameters).length === 0)
        throw new OAuthError('invalid_request', 'The form has no parameters, or repeats one.');
      const client = await this.clients.require(parameters, authorization, clientIpOf(request));
      const target = await this.resources.find(client, parameters);
      const { deviceCode, userCode } = await this.devices.start(client, parameters['scope'], target);
      const page = `${this.settings.APP_URL}/device`;
      const shown = formatUserCode(userCode);
      return {
        device_code: deviceCode,
        user_code: shown,
        verification_uri: page,
        verification_uri_complete: `${page}?user_code=${shown}`,
        expires_in: DEVICE_SECONDS,
        interval: POLL_SECONDS,
      };
    });
  }
}
