import { Body, Controller, Get, Post } from '@nestjs/common';
import { RequireScopes } from '../../ability/index.js';
import { OperatorsTag } from '../../iam/index.js';
import type { Principal } from '../../kernel/index.js';
import { Accepts, Answers, Operation, Problems } from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import {
  BulkActionResponse,
  BulkActionsResponse,
  BulkPeopleDto,
  StartedBulkActionResponse,
} from './bulk-action.dto.js';
import { BulkActions } from './bulk-actions.service.js';

const FOR_WHOM =
  'For up to 1,000 people, or for all members of an organization: answers at once, and one job does it for one person after the other. Operators are left out. It ends with the permission of the operator. An operator starts one at a time.';

/** What operators do for many people. */
@OperatorsTag()
@Controller('api/v1/operator/bulk-actions')
export class BulkActionsController {
  constructor(private readonly actions: BulkActions) {}

  @Get()
  @RequireScopes('platform:person:read')
  @Operation('List actions for many people', 'The newest 50, with their progress, for 90 days.')
  @Answers(BulkActionsResponse)
  async listBulkActions() {
    return { items: (await this.actions.list()).map((action) => BulkActionResponse.from(action)) };
  }

  @Post('end-sessions')
  @RequireScopes('platform:person:end-sessions')
  @Problems('conflict')
  @Operation('End all sessions of many people', FOR_WHOM)
  @Accepts(StartedBulkActionResponse)
  async endSessionsOfPeople(@Caller() { userId }: Principal, @Body() people: BulkPeopleDto) {
    return { id: await this.actions.start(userId, 'end-sessions', people) };
  }

  @Post('resend-mails')
  @RequireScopes('platform:person:resend-mail')
  @Problems('conflict')
  @Operation(
    'Send many people their newest mail again',
    `The newest one of each that can be sent again, as after an outage of a mail server. ${FOR_WHOM}`,
  )
  @Accepts(StartedBulkActionResponse)
  async resendMailsOfPeople(@Caller() { userId }: Principal, @Body() people: BulkPeopleDto) {
    return { id: await this.actions.start(userId, 'resend-mails', people) };
  }
}
