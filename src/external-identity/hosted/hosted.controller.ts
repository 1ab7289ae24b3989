import { Body, Controller, Get, Post } from '@nestjs/common';
import type { PersonPrincipal } from '../../kernel/index.js';
import {
  Answers,
  ApiCreatedResponse,
  Bearer,
  Operation,
  Problems,
  Public,
  QueryOf,
  Tag,
} from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { CODE_LIFETIME_SECONDS } from '../../session/index.js';
import { HostedCodeDto, HostedCodeResponse, HostedSignInDto, HostedSignInResponse } from './hosted.dto.js';
import { HostedSignInService } from './hosted-sign-in.service.js';

/** Sign-in on the pages of this service, for apps without their own pages. */
@Tag('Hosted sign-in', 'Used by the sign-in page. The app redeems its code like that of an external sign-in.')
@Controller('api/v1/iam/auth/hosted')
export class HostedController {
  constructor(private readonly hosted: HostedSignInService) {}

  @Get('request')
  @Public('tells only whether an address is on the list, as the start of an external sign-in does')
  @Operation(
    'Check the request of an app',
    'Before the user signs in. 400 for an address that is not one of `RETURN_URIS`.',
  )
  @Answers(HostedSignInResponse)
  checkHostedSignIn(@QueryOf(HostedSignInDto) request: HostedSignInDto) {
    return { host: this.hosted.check(request) };
  }

  @Post('code')
  @Bearer('app', { ownProof: 'by-handler' })
  @Problems('insufficient-user-authentication')
  @Operation(
    'Issue a hosted sign-in code',
    "The app redeems it at `POST /api/v1/iam/auth/external/token` for tokens of the caller's session: a logout ends both. Single-use, valid for one minute. Presenting it twice ends the session.",
  )
  @ApiCreatedResponse({ type: HostedCodeResponse })
  async issueHostedCode(
    @Caller() caller: PersonPrincipal,
    @Body() request: HostedCodeDto,
  ): Promise<HostedCodeResponse> {
    return {
      location: await this.hosted.authorize(caller, request),
      expiresInSeconds: CODE_LIFETIME_SECONDS,
    };
  }
}
