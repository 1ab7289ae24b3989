import { Body, Controller, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CODE, DEVICE_TOKEN, requireCode } from '../../authenticator/index.js';
import { AcceptedResponse, PASSWORD_RESET_LIMIT } from '../../iam/index.js';
import { Accepts, Answers, Input, Operation, Problems, Public } from '../../platform/api/index.js';
import { StrictLimit } from '../../platform/rate-limit/index.js';
import { clientOf } from '../../platform/web/index.js';
import { LOGIN_LIMIT, SessionsTag } from '../session.declarations.js';
import { TokenResponse } from '../tokens/token.dto.js';
import { EmailSignInCodes } from './email-sign-in-codes.js';
import { EmailSignInService } from './email-sign-in.service.js';

export class RequestEmailCodeDto {
  @Input.email()
  email: string;
}

export class EmailCodeLoginDto {
  @Input.email()
  email: string;

  @Input(CODE)
  code: string;

  @Input(DEVICE_TOKEN, { optional: true, description: 'Of a trusted device, in place of a second factor.' })
  deviceToken?: string;
}

/** Sign-in by a mailed code. */
@SessionsTag()
@Controller('api/v1/iam/auth/email-code')
export class EmailCodeController {
  constructor(
    private readonly codes: EmailSignInCodes,
    private readonly signIns: EmailSignInService,
  ) {}

  @Post()
  @Public('a person who signs in has no token yet')
  @StrictLimit(PASSWORD_RESET_LIMIT)
  @Problems('not-found')
  @Operation(
    'Ask for a code to sign in',
    'Always reports success. The code has six digits, is valid for ten minutes and can be used once. 404 unless the setting `EMAIL_SIGN_IN` is `on`.',
  )
  @Accepts(AcceptedResponse)
  async requestEmailCode(
    @Body() { email }: RequestEmailCodeDto,
    @Req() request: Request,
  ): Promise<AcceptedResponse> {
    await this.codes.request(email, clientOf(request));
    return { status: 'accepted' };
  }

  @Post('login')
  @Public('address and mailed code are the proof')
  @StrictLimit(LOGIN_LIMIT)
  @Problems('invalid-credentials', 'second-factor-required', 'not-found')
  @Operation(
    'Sign in by a mailed code',
    'Starts a session. Five wrong codes void the code. Wrong codes delay further attempts as wrong passwords do. An account with a second factor gets 403 `second-factor-required` with a challenge, and no session yet. 404 unless the setting `EMAIL_SIGN_IN` is `on`.',
  )
  @Answers(TokenResponse)
  signInWithEmailCode(@Body() body: EmailCodeLoginDto, @Req() request: Request) {
    return this.signIns.signIn({ ...body, code: requireCode(body, 'email_code') }, clientOf(request));
  }
}
