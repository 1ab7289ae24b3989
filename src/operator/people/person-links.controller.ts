import { Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes } from '../../ability/index.js';
import { OperatorsTag } from '../../iam/index.js';
import type { Principal, UserId } from '../../kernel/index.js';
import { Operation, Problems } from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { PersonLinks } from './person-links.service.js';

/** Mails of people, and links that wait: who may cause one, or what ends it, may cancel it. */
@OperatorsTag()
@AbilitySubject('userId')
@Controller('api/v1/operator/people')
export class PersonLinksController {
  constructor(private readonly links: PersonLinks) {}

  @Delete(':userId/password-reset')
  @RequireScopes('platform:person:send-password-reset')
  @Problems('not-found')
  @HttpCode(204)
  @Operation(
    'Cancel the link to set a password',
    'Also a link that the person asked for. It is refused, and another one can be asked for.',
  )
  async cancelPasswordResetOfPerson(
    @Caller() caller: Principal,
    @Param('userId') userId: string,
  ): Promise<void> {
    await this.links.cancelPasswordReset(caller.userId, userId as UserId);
  }

  @Delete(':userId/email-change')
  @RequireScopes('platform:person:end-sessions')
  @Problems('not-found')
  @HttpCode(204)
  @Operation(
    'Cancel the change of address that waits',
    'The link mailed to the new address is refused. The end of all sessions does so too.',
  )
  async cancelEmailChangeOfPerson(
    @Caller() caller: Principal,
    @Param('userId') userId: string,
  ): Promise<void> {
    await this.links.cancelEmailChange(caller.userId, userId as UserId);
  }

  @Post(':userId/mails/:mailId/resend')
  @RequireScopes('platform:person:resend-mail')
  @Problems('not-found', 'conflict')
  @HttpCode(204)
  @Operation(
    'Send a mail to a person again',
    'The same mail to the same address, while its link is valid. 409 for one that waits, has expired or was withdrawn, whose link was used or replaced, and after five of its kind within an hour.',
  )
  async resendMail(
    @Caller() caller: Principal,
    @Param('userId') userId: string,
    @Param('mailId') mailId: string,
  ): Promise<void> {
    await this.links.resendMail(caller.userId, userId as UserId, mailId);
  }
}
