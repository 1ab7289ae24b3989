import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes } from '../../ability/index.js';
import { ApiAcceptedResponse, ApiOperation, Tag } from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import type { PersonPrincipal, UserId } from '../../kernel/index.js';
import { ResetAuthenticatorsDto } from './dto/factor-reset.dto.js';
import { FactorResetResponse } from './factor-reset.response.js';
import { FactorResetService } from './factor-reset.service.js';

/** What operators can do for people. */
@Tag('Operators', 'What operators of the platform can do for people.')
@Controller('api/v1/operator/people')
export class PeopleController {
  constructor(private readonly resets: FactorResetService) {}

  @Post(':userId/reset-authenticators')
  @RequireScopes('platform:person:reset-authenticators')
  @AbilitySubject('userId')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'resetAuthenticators',
    summary: 'Reset the second factors of a person',
    description:
      'For a person who has lost all of them. They are removed after `FACTOR_RESET_DELAY` (24 hours). The person is mailed, and can cancel it by the mail and from any session.',
  })
  @ApiAcceptedResponse({ type: FactorResetResponse })
  async reset(
    @Caller() caller: PersonPrincipal,
    @Param('userId') userId: string,
    @Body() { reason }: ResetAuthenticatorsDto,
  ): Promise<FactorResetResponse> {
    return FactorResetResponse.of(await this.resets.schedule(caller.userId, userId as UserId, reason));
  }
}
