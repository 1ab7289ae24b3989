import { Body, Controller, Delete, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Accepts, Bearer, Operation, Public } from '../../platform/api/index.js';
import { Caller, clientOf } from '../../platform/web/index.js';
import { type PersonPrincipal, SENSITIVE } from '../../kernel/index.js';
import { StrictLimit } from '../../platform/rate-limit/index.js';
import {
  AcceptedResponse,
  ConfirmEmailDto,
  RefuseRegistrationDto,
  RegisterDto,
  ResendVerificationDto,
  UndoEmailDto,
  VerificationRequiredResponse,
  VerifyEmailDto,
} from './auth.dto.js';
import { AccountsTag, HASH_LIMIT, PASSWORD_RESET_LIMIT } from './account.declarations.js';
import { EmailConfirmationService } from './email-change/email-confirmation.service.js';
import { EmailUndoService } from './email-change/email-undo.service.js';
import { ErasureService } from './erasure/erasure.service.js';
import { RegistrationService } from './registration/registration.service.js';
import { VerificationService } from './registration/verification.service.js';

/** Operations to register, verify and delete an account, and to change its address. */
@AccountsTag()
@Controller('api/v1/iam/auth')
export class AuthController {
  constructor(
    private readonly registrations: RegistrationService,
    private readonly verifications: VerificationService,
    private readonly emailChanges: EmailConfirmationService,
    private readonly emailUndos: EmailUndoService,
    private readonly erasure: ErasureService,
  ) {}

  @Post('register')
  @Public('a person who registers has no token')
  @StrictLimit(HASH_LIMIT)
  @Operation(
    'Register',
    'Stores the registration and mails a link to verify the address. The response is the same for an address that has an account.',
  )
  @Accepts(VerificationRequiredResponse)
  async register(@Body() body: RegisterDto, @Req() request: Request): Promise<VerificationRequiredResponse> {
    await this.registrations.register(body, clientOf(request));
    return { status: 'verification_required' };
  }

  @Post('verify-email')
  @Public('the mailed token is the proof')
  @StrictLimit(HASH_LIMIT)
  @HttpCode(204)
  @Operation(
    'Verify the email address',
    'Creates the account. With a password, from the registration of the address that has it. Without one, if the address was registered with different passwords, the account has no password, and a link to choose one is mailed.',
  )
  async verifyEmail(@Body() body: VerifyEmailDto, @Req() request: Request): Promise<void> {
    await this.verifications.verify(body.token, body.password, clientOf(request));
  }

  @Post('refuse-registration')
  @Public('the mailed token is the proof')
  @HttpCode(204)
  @Operation(
    'Refuse a registration',
    'Removes the registration. For the owner of an address that another person has registered.',
  )
  async refuseRegistration(@Body() body: RefuseRegistrationDto): Promise<void> {
    await this.verifications.refuse(body.token);
  }

  @Post('resend-verification')
  @Public('the account does not exist yet')
  @Operation(
    'Resend the verification mail',
    'Always reports success. Ignores requests beyond 5 a minute from one network (the size of the bucket `request-password-reset`).',
  )
  @Accepts(AcceptedResponse)
  async resendVerification(
    @Body() body: ResendVerificationDto,
    @Req() request: Request,
  ): Promise<AcceptedResponse> {
    await this.registrations.requestResend(body, clientOf(request));
    return { status: 'accepted' };
  }

  @Post('confirm-email')
  @Public('the mailed token is the proof')
  @StrictLimit(PASSWORD_RESET_LIMIT)
  @HttpCode(204)
  @Operation(
    'Confirm the new email address',
    'Gives the account its new address. The former address is mailed a link that undoes the change for seven days.',
  )
  async confirmEmail(@Body() body: ConfirmEmailDto): Promise<void> {
    await this.emailChanges.confirm(body.token);
  }

  @Post('undo-email')
  @Public('the mailed token is the proof')
  @StrictLimit(PASSWORD_RESET_LIMIT)
  @HttpCode(204)
  @Operation(
    'Undo a change of the email address',
    'Restores the former address, ends every session, removes the password and mails a link to choose a new one.',
  )
  async undoEmail(@Body() body: UndoEmailDto): Promise<void> {
    await this.emailUndos.undo(body.token);
  }

  @Delete('account')
  @Bearer('app', SENSITIVE)
  @HttpCode(204)
  @Operation('Delete the account', 'Removes all personal data. This cannot be undone.')
  async deleteMyAccount(@Caller() caller: PersonPrincipal): Promise<void> {
    await this.erasure.erase(caller.userId);
  }
}
