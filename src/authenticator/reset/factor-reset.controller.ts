import { Body, Controller, Delete, HttpCode, Post } from '@nestjs/common';
import { MeTag, PASSWORD_RESET_LIMIT } from '../../iam/index.js';
import { Bearer, Operation, Problems, Public } from '../../platform/api/index.js';
import { StrictLimit } from '../../platform/rate-limit/index.js';
import { Caller } from '../../platform/web/index.js';
import type { PersonPrincipal } from '../../kernel/index.js';
import { CancelResetDto } from './factor-reset.dto.js';
import { FactorResetService } from './factor-reset.service.js';

/** Lets people cancel a reset of their second factors. */
@MeTag()
@Controller('api/v1/iam')
export class FactorResetController {
  constructor(private readonly resets: FactorResetService) {}

  @Delete('me/authenticator-reset')
  @Bearer('app', { ownProof: 'if-available' })
  @Problems('not-found')
  @HttpCode(204)
  @Operation(
    'Cancel the reset of my second factors',
    'From any session, whatever its strength. 404 if none waits.',
  )
  async cancelMyAuthenticatorReset(@Caller() { userId }: PersonPrincipal): Promise<void> {
    await this.resets.cancel(userId);
  }

  @Post('auth/cancel-authenticator-reset')
  @Public('the mailed token is the proof')
  @StrictLimit(PASSWORD_RESET_LIMIT)
  @HttpCode(204)
  @Operation(
    'Cancel a reset by its mail',
    'For people who cannot sign in. The page asks for a press: programs open links of mails.',
  )
  async cancelAuthenticatorReset(@Body() { token }: CancelResetDto): Promise<void> {
    await this.resets.cancelByToken(token);
  }
}
