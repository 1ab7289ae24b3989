import { Body, Controller, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { HASH_LIMIT } from '../../iam/index.js';
import { Answers, Operation, Problems, Public } from '../../platform/api/index.js';
import { StrictLimit } from '../../platform/rate-limit/index.js';
import { clientOf } from '../../platform/web/index.js';
import { SessionsTag } from '../session.declarations.js';
import { InvitedRegistrationDto, InvitedRegistrationResponse } from './invited-registration.dto.js';
import { InvitedRegistrationService } from './invited-registration.service.js';

/** Registration by an invitation. */
@SessionsTag()
@Controller('api/v1/iam/auth')
export class InvitedRegistrationController {
  constructor(private readonly registrations: InvitedRegistrationService) {}

  @Post('register-invited')
  @Public('the mailed token is the proof')
  @StrictLimit(HASH_LIMIT)
  @Problems('forbidden', 'conflict')
  @Operation(
    'Register by an invitation',
    'Creates the account of the invited address, accepts the invitation and starts a session, without a further mail. 409 if the address has an account: sign in, then accept.',
  )
  @Answers(InvitedRegistrationResponse)
  registerInvited(@Body() { token, ...person }: InvitedRegistrationDto, @Req() request: Request) {
    return this.registrations.register(token, person, clientOf(request));
  }
}
