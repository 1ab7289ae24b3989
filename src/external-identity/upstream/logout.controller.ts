import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { PersonPrincipal } from '../../kernel/index.js';
import {
  ApiNoContentResponse,
  ApiOkResponse,
  Bearer,
  Input,
  Operation,
  Output,
} from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { LogoutService, SessionsTag, UpstreamSignOut } from '../../session/index.js';
import { ProviderLogouts } from './provider-logouts.js';

export class LogoutResponse {
  @Output.text({
    max: 8_192,
    format: 'uri',
    description: 'Address to send the browser to. It ends at the sign-in page of the app.',
    example: 'https://idp.example.com/saml/slo?SAMLRequest=fZJ',
  })
  logoutUrl: string;
}

export class LogoutDto {
  @Input.boolean({
    optional: true,
    description: 'Whether to return the address at which the provider of a connection ends its own session.',
    example: true,
  })
  upstream?: boolean;
}

/** Logout of this session, here and at the provider of its connection. */
@SessionsTag()
@Controller('api/v1/iam/auth/logout')
export class LogoutController {
  constructor(
    private readonly logouts: LogoutService,
    private readonly upstreams: UpstreamSignOut,
    private readonly providers: ProviderLogouts,
  ) {}

  @Post()
  @Bearer('app and satellites', { impersonation: true })
  @HttpCode(204)
  @Operation(
    'Log out',
    'Ends this session for all of its clients. With `upstream` 200, if the session began by a connection whose provider offers a logout: the browser goes to `logoutUrl`, to sign out there too. The session has ended whatever the provider does.',
  )
  @ApiNoContentResponse()
  @ApiOkResponse({ type: LogoutResponse })
  async logout(
    @Caller() caller: PersonPrincipal,
    @Body() { upstream = false }: LogoutDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LogoutResponse | undefined> {
    const ended = upstream ? await this.upstreams.find(caller) : null;
    await this.logouts.logout(caller);
    const logoutUrl = ended && (await this.providers.findLogoutUrl(ended));
    if (logoutUrl === null) return undefined;
    response.status(200);
    return { logoutUrl };
  }
}
