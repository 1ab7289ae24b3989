import { Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { AbilitySubject, RequireScopes } from '../../ability/index.js';
import { MeTag } from '../../iam/index.js';
import {
  ApiNoContentResponse,
  ApiOperation,
  Bearer,
  type ItemPage,
  type Page,
  Paged,
  PageOf,
  toPage,
} from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import type { Principal, SessionId } from '../../kernel/index.js';
import { LogoutService } from './logout.service.js';
import { SessionResponse } from './my-sessions.response.js';
import { SessionService } from './session.service.js';

/** Lists and ends the caller's own sessions. */
@MeTag()
@Bearer('app')
@Controller('api/v1/iam/me/sessions')
export class MySessionsController {
  constructor(
    private readonly sessions: SessionService,
    private readonly logouts: LogoutService,
  ) {}

  @Get()
  @Paged(SessionResponse)
  @ApiOperation({ operationId: 'listMySessions', summary: 'List my sessions', description: 'Newest first.' })
  async list(@Caller() caller: Principal, @PageOf() page: Page): Promise<ItemPage<SessionResponse>> {
    return toPage(
      await this.sessions.list(caller.userId, page),
      page,
      ({ id }) => id,
      (session) => SessionResponse.from(session, caller.sessionId),
    );
  }

  @Delete(':id')
  @RequireScopes('iam:session:end')
  @AbilitySubject('id')
  @HttpCode(204)
  @ApiOperation({ operationId: 'endMySession', summary: 'End one of my sessions' })
  @ApiNoContentResponse()
  async end(@Caller() caller: Principal, @Param('id') id: string): Promise<void> {
    await this.logouts.endSession(caller.userId, id as SessionId);
  }
}
