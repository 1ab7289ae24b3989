import { Controller, Delete, Get, HttpCode } from '@nestjs/common';
import { Answers, Bearer, Operation, Problems } from '../../../platform/api/index.js';
import { Caller } from '../../../platform/web/index.js';
import type { PersonPrincipal } from '../../../kernel/index.js';
import { MeTag } from '../account.declarations.js';
import { EmailChangeResponse } from './email-change.dto.js';
import { EmailChangeService } from './email-change.service.js';

/** The change of the caller's address that waits for its confirmation. */
@MeTag()
@Bearer('app', { ownProof: 'if-available' })
@Controller('api/v1/iam/me/email-change')
export class EmailChangeController {
  constructor(private readonly changes: EmailChangeService) {}

  @Get()
  @Operation(
    'Get the pending change of my email address',
    'Also says whether the caller can change the address at all.',
  )
  @Answers(EmailChangeResponse)
  async getMyEmailChange(@Caller() { userId }: PersonPrincipal) {
    return EmailChangeResponse.from(
      await this.changes.findPending(userId),
      await this.changes.isManaged(userId),
    );
  }

  @Delete()
  @Problems('not-found')
  @HttpCode(204)
  @Operation(
    'Cancel the pending change of my email address',
    'The mailed link is void. From any session, whatever its strength. 404 if none waits.',
  )
  async cancelMyEmailChange(@Caller() { userId }: PersonPrincipal): Promise<void> {
    await this.changes.cancelPending(userId);
  }
}
