import { Body, Controller, Get, Post } from '@nestjs/common';
import {
  Answers,
  ApiCreatedResponse,
  Bearer,
  Operation,
  Problems,
  Public,
  QueryOf,
} from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import type { PersonPrincipal } from '../../kernel/index.js';
import { CODE_LIFETIME_SECONDS, TokenResponse } from '../../session/index.js';
import {
  ExchangeCodeDto,
  IssueCodeDto,
  IssuedCodeResponse,
  SatelliteRequestDto,
  SatelliteRequestResponse,
} from './code.dto.js';
import { CodeService } from './code.service.js';
import { SatellitesTag } from '../../client/index.js';

/** Issues one-time codes for satellites and exchanges them for tokens. */
@SatellitesTag()
@Controller('api/v1/iam/auth/satellite')
export class CodeController {
  constructor(private readonly codes: CodeService) {}

  @Get('request')
  @Public('names a satellite to those who have its client id and redirect URI, as its visitors do')
  @Operation(
    'Check the request of a satellite',
    'For the authorization page, which shows the name before it issues a code. 400 for a satellite that is not registered or is disabled, and for an address that is not one of its redirect URIs.',
  )
  @Answers(SatelliteRequestResponse)
  getSatelliteRequest(@QueryOf(SatelliteRequestDto) query: SatelliteRequestDto) {
    return this.codes.describe(query);
  }

  @Post('code')
  @Bearer('app', { ownProof: 'by-handler' })
  @Problems('insufficient-user-authentication')
  @Operation(
    'Issue a satellite code',
    'Called by the app to send a signed-in visitor to a satellite. Send the `acr` and `maxAge` of its query: the visitor may have to confirm who they are first.',
  )
  @ApiCreatedResponse({ type: IssuedCodeResponse })
  async issueSatelliteCode(
    @Caller() caller: PersonPrincipal,
    @Body() body: IssueCodeDto,
  ): Promise<IssuedCodeResponse> {
    return { ...(await this.codes.issue(caller, body)), expiresInSeconds: CODE_LIFETIME_SECONDS };
  }

  @Post('token')
  @Public('the client secret is the proof')
  @Problems('invalid-client')
  @Operation(
    'Exchange a satellite code',
    "Called by the satellite's server, never by a browser. The tokens belong to the session in which the code was issued: a logout ends them all. Presenting a code twice ends that session.",
  )
  @Answers(TokenResponse)
  exchangeSatelliteCode(@Body() body: ExchangeCodeDto) {
    return this.codes.exchange(body);
  }
}
