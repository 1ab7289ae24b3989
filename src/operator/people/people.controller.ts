import { Body, Controller, Delete, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AbilitySubject, RequireScopes } from '../../ability/index.js';
import { FactorResetResponse, ResetAuthenticatorsDto } from '../../authenticator/index.js';
import { OperatorsTag } from '../../iam/index.js';
import type { Principal, SessionId, UserId } from '../../kernel/index.js';
import {
  Accepts,
  Answers,
  ApiAcceptedResponse,
  ApiNoContentResponse,
  Operation,
  type Page,
  Paged,
  PageOf,
  Problems,
  QueryOf,
  toPage,
} from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import {
  EndedResponse,
  ErasureRequestResponse,
  FoundPersonResponse,
  PeopleQuery,
  PersonResponse,
  StartedExportResponse,
} from './people.dto.js';
import { PeopleSearch } from './people-search.js';
import { PersonActions } from './person-actions.service.js';
import { PersonErasure } from './person-erasure.service.js';
import { PersonPages } from './person-page.service.js';

/** What operators see of people, and can do for them. */
@OperatorsTag()
@Controller('api/v1/operator/people')
export class PeopleController {
  constructor(
    private readonly search: PeopleSearch,
    private readonly pages: PersonPages,
    private readonly actions: PersonActions,
    private readonly erasures: PersonErasure,
  ) {}

  @Get()
  @RequireScopes('platform:person:read')
  @Paged(FoundPersonResponse)
  @Operation('Find people', 'By one field of the query. Without one: all people, newest first.')
  async searchPeople(
    @Caller() { userId }: Principal,
    @PageOf() page: Page,
    @QueryOf(PeopleQuery) criteria: PeopleQuery,
  ) {
    return toPage(await this.search.list(userId, criteria, page), page, FoundPersonResponse.from);
  }

  @Get(':userId')
  @RequireScopes('platform:person:read')
  @AbilitySubject('userId')
  @Operation(
    'Get a person',
    'With what support needs: memberships, sessions, identities, second factors, events, and the mails of the last 30 days with what the mail server said. At most 50 of each.',
  )
  @Answers(PersonResponse)
  async getPerson(@Caller() caller: Principal, @Param('userId') userId: string) {
    return PersonResponse.of(await this.pages.get(caller.userId, userId as UserId));
  }

  @Post(':userId/suspend')
  @RequireScopes('platform:person:suspend')
  @AbilitySubject('userId')
  @HttpCode(204)
  @Operation('Suspend an account', 'Ends its sessions, and refuses sign-ins until it is restored.')
  async suspendPerson(@Caller() caller: Principal, @Param('userId') userId: string): Promise<void> {
    await this.actions.suspend(caller.userId, userId as UserId);
  }

  @Post(':userId/restore')
  @RequireScopes('platform:person:restore')
  @AbilitySubject('userId')
  @HttpCode(204)
  @Operation('End the suspension of an account')
  async restorePerson(@Caller() caller: Principal, @Param('userId') userId: string): Promise<void> {
    await this.actions.restore(caller.userId, userId as UserId);
  }

  @Post(':userId/end-sessions')
  @RequireScopes('platform:person:end-sessions')
  @AbilitySubject('userId')
  @Operation('End all sessions of a person')
  @Answers(EndedResponse)
  async endSessionsOfPerson(@Caller() caller: Principal, @Param('userId') userId: string) {
    return { ended: await this.actions.endSessions(caller.userId, userId as UserId) };
  }

  @Delete(':userId/sessions/:sessionId')
  @RequireScopes('platform:person:end-sessions')
  @AbilitySubject('userId')
  @Problems('not-found')
  @HttpCode(204)
  @Operation('End a session of a person')
  async endSessionOfPerson(
    @Caller() caller: Principal,
    @Param('userId') userId: string,
    @Param('sessionId') sessionId: string,
  ): Promise<void> {
    await this.actions.endSession(caller.userId, userId as UserId, sessionId as SessionId);
  }

  @Post(':userId/send-password-reset')
  @RequireScopes('platform:person:send-password-reset')
  @AbilitySubject('userId')
  @Problems('conflict')
  @HttpCode(204)
  @Operation('Mail a person the link to reset the password')
  async sendPasswordReset(@Caller() caller: Principal, @Param('userId') userId: string): Promise<void> {
    await this.actions.sendPasswordReset(caller.userId, userId as UserId);
  }

  @Post(':userId/require-new-password')
  @RequireScopes('platform:person:require-new-password')
  @AbilitySubject('userId')
  @Problems('conflict')
  @HttpCode(204)
  @Operation(
    'Require a new password',
    'For an account that a stranger may know the password of: removes it, ends all sessions, and mails the person a link to choose a new one.',
  )
  async requireNewPassword(@Caller() caller: Principal, @Param('userId') userId: string): Promise<void> {
    await this.actions.requireNewPassword(caller.userId, userId as UserId);
  }

  @Post(':userId/reset-authenticators')
  @RequireScopes('platform:person:reset-authenticators')
  @AbilitySubject('userId')
  @Operation(
    'Reset the second factors of a person',
    'For a person who has lost all of them. They are removed after `FACTOR_RESET_DELAY` (24 hours). The person is mailed, and can cancel it by the mail and from any session.',
  )
  @Accepts(FactorResetResponse)
  async resetAuthenticators(
    @Caller() caller: Principal,
    @Param('userId') userId: string,
    @Body() { reason }: ResetAuthenticatorsDto,
  ) {
    const reset = await this.actions.resetAuthenticators(caller.userId, userId as UserId, reason);
    return FactorResetResponse.of(reset);
  }

  @Delete(':userId/authenticator-reset')
  @RequireScopes('platform:person:keep-authenticators')
  @AbilitySubject('userId')
  @HttpCode(204)
  @Operation('Cancel the reset of second factors', 'The person keeps them, and is mailed.')
  async cancelAuthenticatorResetOfPerson(
    @Caller() caller: Principal,
    @Param('userId') userId: string,
  ): Promise<void> {
    await this.actions.keepAuthenticators(caller.userId, userId as UserId);
  }

  @Post(':userId/export')
  @RequireScopes('platform:person:export')
  @AbilitySubject('userId')
  @Problems('conflict')
  @Operation(
    'Start the export of what is kept about a person',
    'As the person could, once a day. The person is mailed when it is ready, and alone can read it, after a sign-in.',
  )
  @Accepts(StartedExportResponse)
  async startExportOfPerson(@Caller() caller: Principal, @Param('userId') userId: string) {
    return StartedExportResponse.from(await this.actions.export(caller.userId, userId as UserId));
  }

  @Delete(':userId')
  @RequireScopes('platform:person:erase')
  @AbilitySubject('userId')
  @HttpCode(204)
  @Operation(
    'Erase an account',
    'Removes all personal data at once, and mails the person. It cannot be undone. With `OPERATOR_FOUR_EYES` the first request answers 202 and waits for another operator, who sends the same within 24 hours.',
  )
  @ApiNoContentResponse()
  @ApiAcceptedResponse({ type: ErasureRequestResponse })
  async erasePerson(
    @Caller() caller: Principal,
    @Param('userId') userId: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ErasureRequestResponse | undefined> {
    const waiting = await this.erasures.erase(caller.userId, userId as UserId);
    if (!waiting) return undefined;
    response.status(202);
    return ErasureRequestResponse.from(waiting);
  }

  @Delete(':userId/erasure-request')
  @RequireScopes('platform:person:keep')
  @AbilitySubject('userId')
  @HttpCode(204)
  @Operation('Withdraw the request to erase an account', 'By any operator who could confirm it.')
  async withdrawErasureOfPerson(@Caller() caller: Principal, @Param('userId') userId: string): Promise<void> {
    await this.erasures.keep(caller.userId, userId as UserId);
  }
}
