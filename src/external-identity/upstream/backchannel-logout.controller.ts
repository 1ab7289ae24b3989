import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import {
  AnyQuery,
  ApiResponse,
  documentedForm,
  FormBody,
  formText,
  Operation,
  Problems,
  Public,
} from '../../platform/api/index.js';
import { parametersOf } from '../../platform/web/index.js';
import { ConnectionParam } from '../external.dto.js';
import { ExternalSignInTag } from '../external-sign-in-tag.js';
import { MAX_LOGOUT_FORM_BYTES, UpstreamLogoutService } from './upstream-logout.service.js';

const FORM = documentedForm(
  { logout_token: formText(16_384, '^[\\w-]+\\.[\\w-]+\\.[\\w-]+$') },
  {
    required: ['logout_token'],
    example: { logout_token: 'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL2lkcCJ9.c2ln' },
  },
);

/** Logout by the provider of a connection by OpenID Connect. */
@ExternalSignInTag()
@Controller('api/iam/auth/external/oidc/backchannel-logout/:connection')
export class BackchannelLogoutController {
  constructor(private readonly logouts: UpstreamLogoutService) {}

  @Post()
  @FormBody(MAX_LOGOUT_FORM_BYTES)
  @Public('the signature of the provider is the proof')
  @AnyQuery('sent by providers')
  @ConnectionParam()
  @Problems('validation-error', 'not-found', 'unavailable')
  @HttpCode(200)
  @ApiResponse({ status: 200, description: 'The sessions have ended, or there were none.' })
  @Operation(
    'Receive a back-channel logout of a provider',
    'OpenID Connect Back-Channel Logout 1.0, as a relying party. A logout token ends the session of its `sid`, or all sessions of its `sub`. It counts once.',
    FORM,
  )
  async logoutByToken(@Param('connection') connection: string, @Req() request: Request): Promise<void> {
    await this.logouts.endByToken(connection, parametersOf(request)['logout_token'] ?? '');
  }
}
