import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Accepts, Operation, Public } from '../../../platform/api/index.js';
import { StrictLimit } from '../../../platform/rate-limit/index.js';
import { clientOf } from '../../../platform/web/index.js';
import { AccountsTag, HASH_LIMIT, PASSWORD_RESET_LIMIT } from '../account.declarations.js';
import { AcceptedResponse, EmailDto, ResetPasswordDto } from '../auth.dto.js';
import { PasswordResetService } from './password-reset.service.js';
import { PasswordService } from './password.service.js';

/** Operations by which a person who forgot the password chooses a new one. */
@AccountsTag()
@Controller('api/v1/iam/auth')
export class PasswordResetController {
  constructor(
    private readonly resets: PasswordResetService,
    private readonly passwords: PasswordService,
  ) {}

  @Post('request-password-reset')
  @Public('a person who forgot the password cannot sign in')
  @StrictLimit(PASSWORD_RESET_LIMIT)
  @Operation('Request a password reset', 'Always reports success.')
  @Accepts(AcceptedResponse)
  async requestPasswordReset(@Body() body: EmailDto, @Req() request: Request): Promise<AcceptedResponse> {
    await this.resets.requestReset(body.email, clientOf(request));
    return { status: 'accepted' };
  }

  @Post('reset-password')
  @Public('the mailed token is the proof')
  @StrictLimit(HASH_LIMIT)
  @HttpCode(204)
  @Operation('Reset the password', 'Sets the new password and ends every session.')
  async resetPassword(@Body() body: ResetPasswordDto, @Req() request: Request): Promise<void> {
    await this.passwords.reset(body.token, body.newPassword, clientOf(request));
  }
}
