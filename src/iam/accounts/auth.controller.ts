import { Body, Controller, Delete, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Bearer, Caller, clientOf, type Principal, Public, Tag } from '../../platform/http/index.js';
import { StrictLimit } from '../../platform/rate-limit/index.js';
import { ApiAcceptedResponse, ApiNoContentResponse, ApiOperation } from '../../platform/swagger/index.js';
import { EmailDto, RegisterDto, ResetPasswordDto, VerifyEmailDto } from './dto/auth.dto.js';
import { AcceptedResponse, VerificationRequiredResponse } from './profile.response.js';
import { ErasureService } from './erasure.service.js';
import { PasswordResetService } from './password-reset.service.js';
import { RegistrationService } from './registration.service.js';

/** Registration, verification, password reset and erasure. */
@Tag('Accounts', 'Registration, verification of the address, password reset, erasure.')
@Controller('api/v1/iam/auth')
export class AuthController {
  constructor(
    private readonly registrations: RegistrationService,
    private readonly resets: PasswordResetService,
    private readonly erasure: ErasureService,
  ) {}

  @Post('register')
  @Public('a newcomer has no token')
  @StrictLimit('hash')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Self-serve registration',
    description:
      'Notes the registration and mails a link. The answer is the same for an address that has an account.',
  })
  @ApiAcceptedResponse({ type: VerificationRequiredResponse })
  async register(@Body() body: RegisterDto, @Req() request: Request): Promise<VerificationRequiredResponse> {
    await this.registrations.register(body, clientOf(request));
    return { status: 'verification_required' };
  }

  @Post('verify-email')
  @Public('the mailed token is the proof')
  @HttpCode(204)
  @ApiOperation({ summary: 'Verify the e-mail address', description: 'Makes the account. Then sign in.' })
  @ApiNoContentResponse()
  async verifyEmail(@Body() body: VerifyEmailDto): Promise<void> {
    await this.registrations.verify(body.token);
  }

  @Post('resend-verification')
  @Public('asked before there is an account')
  @HttpCode(202)
  @ApiOperation({ summary: 'Resend the verification mail', description: 'Always reports success.' })
  @ApiAcceptedResponse({ type: AcceptedResponse })
  async resendVerification(@Body() body: EmailDto): Promise<AcceptedResponse> {
    await this.registrations.requestResend(body.email);
    return { status: 'accepted' };
  }

  @Post('request-password-reset')
  @Public('asked by who cannot sign in')
  @StrictLimit('request-password-reset')
  @HttpCode(202)
  @ApiOperation({ summary: 'Request a password reset', description: 'Always reports success.' })
  @ApiAcceptedResponse({ type: AcceptedResponse })
  async requestPasswordReset(@Body() body: EmailDto): Promise<AcceptedResponse> {
    await this.resets.request(body.email);
    return { status: 'accepted' };
  }

  @Post('reset-password')
  @Public('the mailed token is the proof')
  @StrictLimit('hash')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Reset the password',
    description: 'Sets the new password and ends every session.',
  })
  @ApiNoContentResponse()
  async resetPassword(@Body() body: ResetPasswordDto, @Req() request: Request): Promise<void> {
    await this.resets.reset(body.token, body.newPassword, clientOf(request));
  }

  @Delete('account')
  @Bearer({ firstParty: true })
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete the account', description: 'Removes all personal data, for ever.' })
  @ApiNoContentResponse()
  async deleteAccount(@Caller() caller: Principal): Promise<void> {
    await this.erasure.erase(caller.userId);
  }
}
