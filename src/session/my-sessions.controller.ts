import { Controller, Delete, Get, Header, HttpCode } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { Bearer, Caller, IdParam, type Principal, type SessionId, Tag } from '../platform/http/index.js';
import { SessionListResponse, SessionResponse } from './my-sessions.response.js';
import { SessionService } from './session.service.js';

/** Where the caller is signed in. */
@Tag('Me', "The caller's own account and sessions.")
@Bearer()
@Controller('api/v1/iam/me/sessions')
export class MySessionsController {
  constructor(private readonly sessions: SessionService) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ summary: 'My sessions' })
  @ApiOkResponse({ type: SessionListResponse })
  async list(@Caller() caller: Principal): Promise<SessionListResponse> {
    const sessions = await this.sessions.list(caller.userId);
    return {
      items: sessions.map((session) => SessionResponse.from(session, caller.sessionId)),
      nextCursor: null,
    };
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'End one of my sessions' })
  @ApiNoContentResponse()
  async end(@Caller() caller: Principal, @IdParam('id') id: string): Promise<void> {
    await this.sessions.endOne(caller.userId, id as SessionId);
  }
}
