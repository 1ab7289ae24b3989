import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes } from '../../ability/index.js';
import { MeTag } from '../../iam/index.js';
import {
  Answers,
  Bearer,
  Operation,
  type Page,
  Paged,
  PageOf,
  Problems,
  QueryOf,
  toPage,
} from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { type PersonPrincipal, SENSITIVE, type SessionId } from '../../kernel/index.js';
import { LogoutService } from './logout.service.js';
import {
  EndedSessionsResponse,
  EndInactiveSessionsDto,
  MySessionsQuery,
  SessionResponse,
  SessionTracesResponse,
} from './my-sessions.dto.js';
import { SessionService } from './session.service.js';
import { SessionTraces } from '../traces/session-traces.service.js';

/** Lists and ends the caller's own sessions. */
@MeTag()
@Bearer('app', { ownProof: 'if-available' })
@Controller('api/v1/iam/me/sessions')
export class MySessionsController {
  constructor(
    private readonly sessions: SessionService,
    private readonly logouts: LogoutService,
    private readonly traces: SessionTraces,
  ) {}

  @Get()
  @Paged(SessionResponse)
  @Operation('List my sessions', 'Newest first.')
  async listMySessions(
    @Caller() caller: PersonPrincipal,
    @PageOf() page: Page,
    @QueryOf(MySessionsQuery) { query }: MySessionsQuery,
  ) {
    return toPage(await this.sessions.list(caller.userId, page, query ?? null), page, (session) =>
      SessionResponse.from(session, caller.sessionId),
    );
  }

  @Post('end-inactive')
  @Operation('End my inactive sessions', 'Keeps the session of the request.')
  @Answers(EndedSessionsResponse)
  async endMyInactiveSessions(@Caller() caller: PersonPrincipal, @Body() { days }: EndInactiveSessionsDto) {
    return { ended: await this.logouts.endInactiveSessions(caller, days) };
  }

  @Delete(':id')
  @RequireScopes('iam:session:end')
  @AbilitySubject('id')
  @HttpCode(204)
  @Operation('End one of my sessions')
  async endMySession(@Caller() caller: PersonPrincipal, @Param('id') id: string): Promise<void> {
    await this.traces.endSession(caller.userId, id as SessionId);
  }

  @Get('traces')
  @Operation(
    'List what my sessions made',
    'Second factors, trusted devices, identities and keys that are left, newest first, also of sessions that have ended. At most 200.',
  )
  @Answers(SessionTracesResponse)
  async listMySessionTraces(@Caller() { userId }: PersonPrincipal) {
    return SessionTracesResponse.from(await this.traces.list(userId));
  }

  @Delete(':id/traces')
  @Bearer('app', SENSITIVE)
  @Problems('not-found')
  @HttpCode(204)
  @Operation(
    'End what one of my sessions made',
    'Removes the second factors, trusted devices, identities and keys that the session made, and ends it, unless it is that of the request. For a session that was not yours.',
  )
  async endMySessionTraces(
    @Caller() { userId, sessionId }: PersonPrincipal,
    @Param('id') id: string,
  ): Promise<void> {
    await this.traces.end(userId, id as SessionId, sessionId);
  }
}
